import { SpecMistake } from '../../client/index.ts';

/**
 * Stands in a scenario for `what` is still to be written with what it was given, so that it is never green before.
 * @throws SpecMistake
 */
export function unwritten(_given: unknown, what: string): never {
  throw SpecMistake.of('unwritten', { what });
}
