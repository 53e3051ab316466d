/**
 * `text` with what a terminal would obey, or show in another order, spelt as `\uXXXX`: control and format characters.
 * Inside JSON the spelling means the same character.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    character === '\n'
      ? character
      : [...Array(character.length).keys()]
          .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
          .join(''),
  );
}
