const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;

/** The positions of numbers in a valid JSON text. */
export function* jsonNumbers(json: string): Generator<{ readonly start: number; readonly end: number }> {
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) index = endOfString(json, index);
    if (code !== MINUS && !isDigit(code)) continue;
    const start = index;
    while (/[\d.eE+-]/.test(json[index + 1] ?? '')) index++;
    yield { start, end: index + 1 };
  }
}

/** The index of the closing quote of the string at `start`. */
function endOfString(json: string, start: number): number {
  let index = start + 1;
  while (index < json.length && json.charCodeAt(index) !== QUOTE) index += json.charCodeAt(index) === BACKSLASH ? 2 : 1;
  return index;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
