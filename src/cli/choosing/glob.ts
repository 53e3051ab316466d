/** Whether a name matches a glob: `*` any text, `?` one character, case-insensitive. */
export function globMatches(glob: string, name: string): boolean {
  return new RegExp(`^${[...glob].map(asPattern).join('')}$`, 'isu').test(name);
}

function asPattern(character: string): string {
  if (character === '*') return '.*';
  return character === '?' ? '.' : character.replace(/[\\^$.+()[\]{}|/]/u, '\\$&');
}
