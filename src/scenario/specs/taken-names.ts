import { SpecMistake } from '../../client/index.ts';

/**
 * The names that a scenario's body takes from its world: its first parameter is a literal destructuring pattern, as for
 * Playwright's fixtures.
 * @throws SpecMistake
 */
export function takenNames(title: string, body: unknown): string[] {
  if (typeof body !== 'function') throw SpecMistake.of('no body', { title });
  const source = Function.prototype.toString.call(body);
  const [, pattern] = /^[^(=]*\(\s*\{([^}]*)\}/.exec(source) ?? [];
  if (pattern === undefined && !/^[^(=]*\(\s*\)/.test(source)) throw SpecMistake.of('no names taken', { title });
  const names = (pattern ?? '')
    .split(',')
    .map((part) => part.split(':')[0]?.trim() ?? '')
    .filter(Boolean);
  if (names.some((name) => /^\.\.\.|=/.test(name))) throw SpecMistake.of('no names taken', { title });
  return names;
}
