/**
 * Translates a pattern of an OpenAPI document for JavaScript. JSON Schema requires JavaScript's dialect, but people also write the dialects
 * of other languages. Only spellings with a clear meaning are translated. `undefined` if JavaScript can't read the pattern, or would give
 * it another meaning.
 */
export function translatedPattern(pattern: string): string | undefined {
  const [, inner = pattern, after = ''] = delimited.exec(pattern) ?? [];
  const [leading = '', before = ''] = /^\(\?([imsu]+)\)/.exec(inner) ?? [];
  const body = inner
    .slice(leading.length)
    // Python and PCRE write the name of a group with a P.
    .replaceAll('(?P<', '(?<')
    .replace(/^\\A/, '^')
    .replace(/(?<!\\)((?:\\\\)*)\\z$/, '$1$')
    // In most languages, `\Z` also matches before a line break at the end.
    .replace(/(?<!\\)((?:\\\\)*)\\Z$/, '$1(?=\\n?$)(?:\\n?)');
  const flags = [...new Set(before + after)].filter((flag) => flag !== 'u').join('');
  if (isForeign(body)) return undefined;
  const translated = flags === '' ? body : `(?${flags}:${body})`;
  return isRegExp(translated, 'u') || isRegExp(translated, '') ? translated : undefined;
}

/**
 * A pattern between slashes, as some generators write it: `/^…/`, `/…$/i`. As parts of the pattern these slashes would never match, because
 * nothing precedes the start of a text (`/^`) or follows its end (`$/`).
 */
const delimited = /^\/(\^.*|.*[^\\]\$)\/([imsu]*)$/s;

/**
 * Whether a pattern contains parts that have another meaning in other dialects: `\A` in the middle, `\h`, `[[:alpha:]]`, comments.
 * JavaScript refuses such a pattern with the Unicode flag, and reads these parts as ordinary characters without it.
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
