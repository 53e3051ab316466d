// biome-ignore-all lint/suspicious/noControlCharactersInRegex: a log holds the colours of a terminal
/**
 * Commands that a CI system obeys when they are in its log: GitHub `::add-mask::` at the start of a line; GitHub, Azure and TeamCity
 * `##[error]`, `##vso[…]` and `##teamcity[…]` anywhere. A service could send such a command in its response.
 */
const commands = /^((?:[^\S\r\n]|\x85|\x1b\[[\d;]*m)*):(?=:[^\r\n]*::)|#(?=#[\w.]*\[)/gm;

/** `text` with each command broken visibly: `: :add-mask::`, `# #[error]`. In JSON, an escape breaks the command, so the values stay the same. */
export function withoutCommands(text: string): string {
  commands.lastIndex = 0;
  if (!commands.test(text)) return text;
  const escaped = text.replace(/#(?=#)/g, '\\u0023');
  if (/^\s*[[{"]/.test(text) && isSameJson(text, escaped)) return escaped;
  return text.replace(commands, (_, before?: string) => (before === undefined ? '# ' : `${before}: `));
}

function isSameJson(text: string, escaped: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(JSON.parse(escaped));
  } catch {
    return false;
  }
}
