import { SpecMistake } from '../client/index.ts';

/**
 * Stands in a scenario for what is still to be written, so that it is never green before.
 * @throws SpecMistake
 */
export function unwritten(what: string): never {
  throw SpecMistake.of('unwritten', { what });
}
