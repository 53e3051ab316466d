import { hash, randomInt } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Faker, Randomizer } from '@faker-js/faker';
import { congruential32 } from 'pure-rand/generator/congruential32';
import { PROFILE_INCLUDES } from '../../../schemas/index.ts';
import type { OperationId } from '../../service/index.ts';

let quickFaker: Faker | undefined;

/** Loaded with the first value: ids need no library. Its own generator takes longer to seed than a request takes to send. */
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

  /** All scenarios share one instance of the library, because creating one is expensive. Every value seeds the instance again. */
  const next = () => {
    quickFaker ??= newFaker();
    quickFaker.seed([seed, values++]);
    return quickFaker;
  };

  const noted = (id: string) => {
    invented.add(id);
    return id;
  };

  // To seed the library for each id would cost more than the request that carries it.
  const id = () => noted(MADE_BY + hash('sha256', `${seed} ${values++}`).slice(0, 20));

  /** A short plain text: limits are unknown, so names and messages stay within common ones; no two are alike. */
  const text = () => MADE_BY + next().string.alphanumeric({ length: 6, casing: 'lower' });
  const plainText = () => `Sextant${next().string.alphanumeric({ length: 6, casing: 'lower' })}`;

  return {
    id,
    text,
    plainText,
    /** An id that nobody has, in the form of `example` if that form can't clash with a real id. */
    idLike: (example = ''): string => {
      if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(example)) return noted(next().string.uuid());
      // Counted ids are far below the largest that 32 bits hold.
      if (/^\d{1,9}$/.test(example))
        return noted(String(next().number.int({ min: 2_100_000_000, max: 2_147_483_647 })));
      if (!/^[0-9a-f]{24,}$/.test(example)) return id();
      return noted(next().string.hexadecimal({ length: example.length, casing: 'lower', prefix: '' }));
    },
    isInvented: (given: string) => invented.has(given),
    /** A token or key in the usual form that the service never issued. */
    wrongCredential: () => `${MADE_BY}wrong-${next().string.alphanumeric(24)}`,
    /** In the form that the service takes, or else as the specification shows it; with what `shown` has, where the environment names none. */
    avatar: (form = formOf('saveAvatar') ?? 'marked', shown: WornItems = {}) => {
      const made = next().helpers.uniqueArray(() => String(next().number.int({ min: 1, max: 999 })), 2);
      const ids = named.avatarItemIds?.length ? named.avatarItemIds : (shown.avatarItemIds ?? []);
      const items = ids.length > 0 ? next().helpers.shuffle([...ids]) : made;
      return avatarOf(form, items, named.avatarDesignId ?? shown.avatarDesignId, { text, plainText });
    },
    profile: (form = formOf('updateProfile') ?? 'text') => profileOf(form, { text, plainText }),
    /** An unused version label in the form of `example`, with other numbers at its end; hardly longer, as a label may have a limit. */
    version: (example: string) => {
      // Every hour for years without meeting one again: seven digits, of which the last number but one takes three.
      const [first, last] = [next().number.int({ min: 100, max: 999 }), next().number.int({ min: 1_000, max: 9_999 })];
      if (/\d\D+\d+\D*$/.test(example)) return example.replace(/\d+(\D+)\d+(?=\D*$)/, `${first}$1${last}`);
      return /\d/.test(example) ? example.replace(/\d+(?=\D*$)/, `${first}${last}`) : `${example}${first}${last}`;
    },
    context: (): Record<string, string> => ({ country: next().location.countryCode(), platform: 'web' }),
  };
}

/** Generators of short texts, which no other value equals. */
interface Texts {
  readonly text: () => string;
  readonly plainText: () => string;
}

function avatarOf(form: string, [first = '1', second]: readonly string[], design: string | undefined, texts: Texts) {
  const isPlain = form.startsWith('plain');
  const text = isPlain ? texts.plainText : texts.text;
  const designId = design ?? (isPlain ? first : text());
  return {
    // It lists numbers, and ids need not be numbers.
    includes: [first, second].filter((id) => /^\d+$/.test(id ?? '')).join(';'),
    name: text(),
    meta: isPlain ? '{"colour":"blue"}' : 'colour=blue;size=2',
    items: [
      { itemId: first, type: 1, designId },
      // The specification: a design is "present on some items and absent on others".
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
    // The path of an address has letters of both cases, and means what they say.
    url: `https://images.example/Of/${text()}.png`,
    gender: Number(gender ?? 1),
  };
}

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

export const SEED_VARIABLE = 'SEXTANT_SEED';

export function runSeed(given = process.env[SEED_VARIABLE]): string {
  return given?.trim() || String(randomInt(2 ** 31));
}

/** A separate seed for each scenario and repetition, so that no two generate the same data. */
export function scenarioSeed(seed: string, ...parts: readonly (string | number)[]): number {
  return hash('sha256', JSON.stringify([seed, ...parts]), 'buffer').readUInt32BE();
}
