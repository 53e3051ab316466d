import { faker } from '@faker-js/faker/locale/en';
import { PROFILE_INCLUDES } from '../../schemas/index.ts';
import type { CallArguments } from '../spec/index.ts';

/** Everything the suite makes begins with this, so that anybody can tell it from people's own. */
export const MADE_BY = 'sextant-';

/** Makes the data of one scenario: always the same for a seed, different from every other scenario's. */
export class InventedData {
  readonly #seed: number;
  #values = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** All scenarios share the library's one instance, for making one is costly; it is seeded anew for every value. */
  get #faker(): typeof faker {
    faker.seed([this.#seed, this.#values++]);
    return faker;
  }

  /** An id or a key that nobody has. */
  id(): string {
    return MADE_BY + this.#faker.string.hexadecimal({ length: 20, casing: 'lower', prefix: '' });
  }

  text(): string {
    return `${MADE_BY}${this.#faker.lorem.words(3)} ${this.#faker.string.alphanumeric(6)}`;
  }

  /** A token or key of the usual kind that the service never issued. */
  wrongCredential(): string {
    return `${MADE_BY}wrong-${this.#faker.string.alphanumeric(24)}`;
  }

  avatar(): CallArguments<'saveAvatar'> {
    const numbers = this.#faker.helpers.multiple(() => this.#faker.number.int({ min: 1, max: 999 }), { count: 3 });
    return {
      includes: numbers.join(';'),
      name: this.text(),
      meta: `colour=${this.#faker.color.human()};size=${this.#faker.number.int(9)}`,
      items: [
        { itemId: this.id(), type: 1, designId: this.id() },
        // The document: a design is "present on some items and absent on others".
        { itemId: this.id(), type: 2 },
      ],
    };
  }

  profile(): CallArguments<'updateProfile'> {
    return {
      includes: PROFILE_INCLUDES.join(';'),
      name: this.text(),
      status: this.text(),
      url: `https://images.example/${this.id()}.png`,
      gender: this.#faker.number.int({ min: 0, max: 2 }),
    };
  }

  /** A version label of its own for each run. */
  version(start: string): string {
    return `${start}-${this.id()}`;
  }

  context(): Record<string, string> {
    return { country: this.#faker.location.countryCode(), platform: 'web' };
  }
}
