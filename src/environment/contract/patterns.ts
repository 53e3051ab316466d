/**
 * A pattern of an OpenAPI document as JavaScript reads it. JSON Schema asks for JavaScript's dialect; people write the dialect of the language that they use
 * all the same. Spellings whose meaning is certain are translated; `undefined` for a pattern that would mean something else, or nothing.
 */
export function translatedPattern(pattern: string): string | undefined {
  const [, inner = pattern, after = ''] = delimited.exec(pattern) ?? [];
  const [leading = '', before = ''] = /^\(\?([imsu]+)\)/.exec(inner) ?? [];
  const body = inner
    .slice(leading.length)
    // Python and PCRE name groups with a P.
    .replaceAll('(?P<', '(?<')
    .replace(/^\\A/, '^')
    .replace(/(?<!\\)((?:\\\\)*)\\z$/, '$1$')
    // A line end may follow there in most languages.
    .replace(/(?<!\\)((?:\\\\)*)\\Z$/, '$1(?=\\n?$)(?:\\n?)');
  const flags = [...new Set(before + after)].filter((flag) => flag !== 'u').join('');
  if (isForeign(body)) return undefined;
  const translated = flags === '' ? body : `(?${flags}:${body})`;
  return isRegExp(translated, 'u') || isRegExp(translated, '') ? translated : undefined;
}

/** `/^…/`, `/…$/i`: some generators write the delimiters, too. Inside of a text, an anchor next to a slash could never match. */
const delimited = /^\/(\^.*|.*[^\\]\$)\/([imsu]*)$/s;

/**
 * Parts with another meaning in other dialects: `\A` inside, `\h`, `[[:alpha:]]`, comments. JavaScript without Unicode reads them as letters;
 * with Unicode it refuses the pattern.
 */
function isForeign(body: string): boolean {
  if (/\[\[:\^?\w+:\]/.test(body)) return true;
  const escapes = [...body.matchAll(/\\(.)/gs)].map(([, letter = '']) => letter);
  return (
    !isRegExp(body, 'u') && escapes.some((letter) => /[a-z]/i.test(letter) && !/[bBcdDfknpPrsStuvwWx]/.test(letter))
  );
}

function isRegExp(pattern: string, flags: string): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}
