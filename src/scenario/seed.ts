import { createHash, randomInt } from 'node:crypto';

/** The environment variable that sets the seed of a run's data. */
export const SEED_VARIABLE = 'SEXTANT_SEED';

/** The seed of this run: the one that was set, or a new one. */
export function runSeed(given = process.env[SEED_VARIABLE]): string {
  return given?.trim() || String(randomInt(2 ** 31));
}

/** A seed of its own for each scenario and each repetition, so that no two make the same data. */
export function scenarioSeed(seed: string, ...parts: readonly (string | number)[]): number {
  return createHash('sha256')
    .update(JSON.stringify([seed, ...parts]))
    .digest()
    .readUInt32BE();
}
