import type { Randomizer } from '@faker-js/faker';
import { congruential32 } from 'pure-rand/generator/congruential32';

/** Faker's source of randomness over a generator whose state is one number. */
export function quickRandomizer(): Randomizer {
  let generator = congruential32(0);
  return {
    next: () => (generator.next() >>> 0) / 2 ** 32,
    seed: (seed) => {
      generator = congruential32([seed].flat().reduce(mixed, 0));
    },
  };
}

/** Neighbouring seeds must not begin alike. */
function mixed(state: number, part: number): number {
  let hash = Math.imul(state ^ part, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca77);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae3d);
  return hash ^ (hash >>> 16);
}
