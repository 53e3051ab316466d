import { counted } from '../../config/index.ts';

/** Whether a name matches a glob: `*` any text, `?` one character, case-insensitive. */
export function globMatches(glob: string, name: string): boolean {
  return new RegExp(`^${[...glob].map(asPattern).join('')}$`, 'isu').test(name);
}

function asPattern(character: string): string {
  if (character === '*') return '.*';
  return character === '?' ? '.' : character.replace(/[\\^$.+()[\]{}|/]/u, '\\$&');
}

/** More names are counted instead. */
const MOST_NAMES = 5;

/** The names of environments, or how many there are and some of the names. */
export function someNames(names: readonly string[]): string {
  if (names.length <= MOST_NAMES) return names.join(', ');
  return `${counted(names.length, 'environment')} (${names.slice(0, MOST_NAMES - 1).join(', ')} … ${names.at(-1)})`;
}
