/** Whether a name matches a glob: `*` is any text, `?` one character; case doesn't matter. */
export function globMatches(glob: string, name: string): boolean {
  return new RegExp(`^${[...glob].map(asPattern).join('')}$`, 'isu').test(name);
}

function asPattern(character: string): string {
  if (character === '*') return '.*';
  return character === '?' ? '.' : character.replace(/[\\^$.+()[\]{}|/]/u, '\\$&');
}
