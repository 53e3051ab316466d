import { hash, randomInt } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Faker, Randomizer } from '@faker-js/faker';
import { congruential32 } from 'pure-rand/generator/congruential32';
import { PROFILE_INCLUDES } from '../../../schemas/index.ts';
import type { OperationId } from '../../service/index.ts';

let quickFaker: Faker | undefined;

/**
 * Called for the first value that needs Faker; ids don't need it. Replaces Faker's random generator, because seeding the original one takes
 * longer than sending a request.
 */
function newFaker(): Faker {
  const library = createRequire(import.meta.url)('@faker-js/faker/locale/en');
  const { faker } = library as typeof import('@faker-js/faker/locale/en');
  const Library = faker.constructor as typeof Faker;
  return new Library({ locale: faker.rawDefinitions, randomizer: quickRandomizer() });
}

const MADE_BY = 'sextant-';

/** Items and a design for an avatar. */
export interface WornItems {
  readonly avatarItemIds?: readonly string[];
  readonly avatarDesignId?: string;
}

export type InventedData = ReturnType<typeof inventedData>;

/** Generates the data of one scenario: deterministic for a seed, different from every other scenario's. */
export function inventedData(
  seed: number,
  formOf: (operation: OperationId) => string | undefined = () => undefined,
  named: WornItems = {},
) {
  const invented = new Set<string>();
  let values = 0;

  /** All scenarios share one instance of Faker, because creating one is expensive. It is seeded again for every value. */
  const next = () => {
    quickFaker ??= newFaker();
    quickFaker.seed([seed, values++]);
    return quickFaker;
  };

  const noted = (id: string) => {
    invented.add(id);
    return id;
  };

  // A hash, because seeding Faker for each id would take longer than the request that carries the id.
  const id = () => noted(MADE_BY + hash('sha256', `${seed} ${values++}`).slice(0, 20));

  /** A short plain text, different each time. The service's limits are unknown, so names and messages stay within common limits. */
  const text = () => MADE_BY + next().string.alphanumeric({ length: 6, casing: 'lower' });
  const plainText = () => `Sextant${next().string.alphanumeric({ length: 6, casing: 'lower' })}`;

  return {
    id,
    text,
    plainText,
    /** An id that nobody has, in the form of `example` if that form can't clash with a real id. */
    idLike: (example = ''): string => {
      if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(example)) return noted(next().string.uuid());
      // Services that number their entries have ids far below the largest 32-bit number.
      if (/^\d{1,9}$/.test(example))
        return noted(String(next().number.int({ min: 2_100_000_000, max: 2_147_483_647 })));
      if (!/^[0-9a-f]{24,}$/.test(example)) return id();
      return noted(next().string.hexadecimal({ length: example.length, casing: 'lower', prefix: '' }));
    },
    isInvented: (given: string) => invented.has(given),
    /** A token or key that the service never issued, in the usual form. */
    wrongCredential: () => `${MADE_BY}wrong-${next().string.alphanumeric(24)}`,
    /**
     * An avatar in the form that the service accepts, or, if that is unknown, as the specification shows it. Where the environment names no
     * items or no design, uses those of `shown`.
     */
    avatar: (form = formOf('saveAvatar') ?? 'marked', shown: WornItems = {}) => {
      const made = next().helpers.uniqueArray(() => String(next().number.int({ min: 1, max: 999 })), 2);
      const ids = named.avatarItemIds?.length ? named.avatarItemIds : (shown.avatarItemIds ?? []);
      const items = ids.length > 0 ? next().helpers.shuffle([...ids]) : made;
      return avatarOf(form, items, named.avatarDesignId ?? shown.avatarDesignId, { text, plainText });
    },
    profile: (form = formOf('updateProfile') ?? 'text') => profileOf(form, { text, plainText }),
    /**
     * An unused version label like `example`, with other numbers at its end. It is hardly longer than `example`, because labels may have a
     * length limit.
     */
    version: (example: string) => {
      // With seven random digits, hourly runs don't repeat a label for years. If the label ends in two numbers, the first of them gets
      // three of these digits, and the last one gets four.
      const [first, last] = [next().number.int({ min: 100, max: 999 }), next().number.int({ min: 1_000, max: 9_999 })];
      if (/\d\D+\d+\D*$/.test(example)) return example.replace(/\d+(\D+)\d+(?=\D*$)/, `${first}$1${last}`);
      return /\d/.test(example) ? example.replace(/\d+(?=\D*$)/, `${first}${last}`) : `${example}${first}${last}`;
    },
    context: (): Record<string, string> => ({ country: next().location.countryCode(), platform: 'web' }),
  };
}

/** Generators of short texts, all different. */
interface Texts {
  readonly text: () => string;
  readonly plainText: () => string;
}

function avatarOf(form: string, [first = '1', second]: readonly string[], design: string | undefined, texts: Texts) {
  const isPlain = form.startsWith('plain');
  const text = isPlain ? texts.plainText : texts.text;
  const designId = design ?? (isPlain ? first : text());
  return {
    // `includes` can hold only numbers. Some services have ids of another form, so these ids are left out.
    includes: [first, second].filter((id) => /^\d+$/.test(id ?? '')).join(';'),
    name: text(),
    meta: isPlain ? '{"colour":"blue"}' : 'colour=blue;size=2',
    items: [
      { itemId: first, type: 1, designId },
      // The second item has no design, because the specification says: a design is "present on some items and absent on others".
      ...(second === undefined ? [] : [{ itemId: second, type: 1 }]),
    ],
  };
}

function profileOf(form: string, { text, plainText }: Texts) {
  const [status = '', gender] = form.split('-');
  return {
    includes: PROFILE_INCLUDES.join(';'),
    name: form === 'text' ? text() : plainText(),
    status: form === 'text' ? text() : status,
    // Upper and lower case on purpose: they make a difference in the path of a URL.
    url: `https://images.example/Of/${text()}.png`,
    gender: Number(gender ?? 1),
  };
}

/** A source of random numbers for Faker. Its state is a single number, so it is quick to seed. */
export function quickRandomizer(): Randomizer {
  let generator = congruential32(0);
  return {
    next: () => (generator.next() >>> 0) / 2 ** 32,
    seed: (seed) => {
      generator = congruential32([seed].flat().reduce(mixed, 0));
    },
  };
}

/** Mixes a part into a seed, so that neighbouring seeds give different values from the first one on. */
function mixed(state: number, part: number): number {
  let hash = Math.imul(state ^ part, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca77);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae3d);
  return hash ^ (hash >>> 16);
}

export const SEED_VARIABLE = 'SEXTANT_SEED';

export function runSeed(given = process.env[SEED_VARIABLE]): string {
  return given?.trim() || String(randomInt(2 ** 31));
}

/** A separate seed for each scenario and repetition, so that no two generate the same data. */
export function scenarioSeed(seed: string, ...parts: readonly (string | number)[]): number {
  return hash('sha256', JSON.stringify([seed, ...parts]), 'buffer').readUInt32BE();
}
