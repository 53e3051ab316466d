import { hash, randomInt } from 'node:crypto';

export const SEED_VARIABLE = 'SEXTANT_SEED';

/** The seed of this run: the given one, or a new one. */
export function runSeed(given = process.env[SEED_VARIABLE]): string {
  return given?.trim() || String(randomInt(2 ** 31));
}

/** A separate seed for each scenario and repetition, so that no two generate the same data. */
export function scenarioSeed(seed: string, ...parts: readonly (string | number)[]): number {
  return hash('sha256', JSON.stringify([seed, ...parts]), 'buffer').readUInt32BE();
}
