import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The number of letters in which two names differ. The library is loaded only when a user makes a mistake. */
const distanceOf = (one: string, other: string): number =>
  (require('leven') as typeof import('leven')).default(one.toUpperCase(), other.toUpperCase());

/** `1 scenario`, `2 scenarios`: a number with its noun. `plural` is for nouns that don't take an s. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** `1,234`. `toLocaleString` would load the data of all languages, which takes a check 2 % of its CPU. */
export function grouped(count: number): string {
  return `${count}`.replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Words as a list in a sentence: `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`;
}

/** ` (did you mean X?)` if one of `known` is similar enough to be a typo; otherwise empty. `most` letters may differ. */
export function didYouMean(given: string, known: readonly string[], most = Math.max(2, given.length / 3)): string {
  // Each line of a long file may be compared with every key, so names of very different length are ruled out first.
  const distances = known
    .filter((name) => Math.abs(name.length - given.length) <= most)
    .map((name) => ({ name, distance: distanceOf(given, name) }));
  const [nearest] = distances.sort((a, b) => a.distance - b.distance);
  return nearest && nearest.distance <= most ? ` (did you mean ${nearest.name}?)` : '';
}

/** The names that are most like `given`, the nearest first. */
export function nearest(given: string, known: readonly string[], most: number): string[] {
  return [...new Set(known)].toSorted((a, b) => distanceOf(given, a) - distanceOf(given, b)).slice(0, most);
}
