import { counted } from '../../config/index.ts';

/** More names are counted instead. */
const MOST_NAMES = 5;

/** The names of environments, or how many there are and some of the names. */
export function someNames(names: readonly string[]): string {
  if (names.length <= MOST_NAMES) return names.join(', ');
  return `${counted(names.length, 'environment')} (${names.slice(0, MOST_NAMES - 1).join(', ')} … ${names.at(-1)})`;
}
