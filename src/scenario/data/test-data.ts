import { hash } from 'node:crypto';
import { PROFILE_INCLUDES } from '../../../schemas/index.ts';
import { inForms } from '../readings/in-forms.ts';
import type { Readings } from '../readings/readings.ts';

/** Prefix of generated texts, which distinguishes them from real data. */
const MADE_BY = 'sextant-';

/** Whether a text is or contains a generated one. */
export function isMadeBySuite(text: string): boolean {
  return /sextant(-| ?([0-9a-z]{4}|[0-9a-z]{6})\b)/i.test(text);
}

/** The readings that determine the form of the data. */
type FormReadings = Pick<Readings, 'of' | 'known' | 'find'>;

/** Generates the data of one scenario: deterministic for a seed, different from every other scenario's. */
export class InventedData {
  readonly #seed: number;
  readonly #readings: FormReadings | undefined;
  readonly #invented = new Set<string>();
  #values = 0;

  constructor(seed: number, readings?: FormReadings) {
    this.#seed = seed;
    this.#readings = readings;
  }

  /** Random bytes: a hash of the seed and of how many values came before. */
  get #bytes(): Buffer {
    return hash('sha256', `${this.#seed} ${this.#values++}`, 'buffer');
  }

  #hexadecimal(length: number): string {
    const digits = this.#bytes.toString('hex');
    return digits.repeat(Math.ceil(length / digits.length)).slice(0, length);
  }

  #letters(length: number): string {
    return Array.from(this.#bytes.subarray(0, length), (byte) => (byte % 36).toString(36)).join('');
  }

  #between(least: number, most: number): number {
    return least + (this.#bytes.readUInt32BE() % (most - least + 1));
  }

  /** An invented id or key. */
  id(): string {
    return this.#noted(MADE_BY + this.#hexadecimal(20));
  }

  /** An id that nobody has, in the form of `example` if that form can't clash with a real id. */
  idLike(example = ''): string {
    const digits = this.#hexadecimal(example.length);
    if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(example))
      return this.#noted(digits.replace(/^(.{8}).(.{4}).{2}(.{3}).{2}(.{3}).(.{12})$/, '$1-$2-4$3-8$4-$5'));
    // Counted ids are far below the largest that 32 bits hold.
    if (/^\d{1,9}$/.test(example)) return this.#noted(String(this.#between(2_100_000_000, 2_147_483_647)));
    return /^[0-9a-f]{24,}$/.test(example) ? this.#noted(digits) : this.id();
  }

  /** Whether an id is of this scenario's making. */
  isInvented(id: string): boolean {
    return this.#invented.has(id);
  }

  #noted(id: string): string {
    this.#invented.add(id);
    return id;
  }

  /** A short plain text: limits are unknown, so names and messages stay within common ones; no two are alike. */
  text(): string {
    return MADE_BY + this.#letters(6);
  }

  /** The same of letters and digits alone. */
  plainText(): string {
    return `Sextant${this.#letters(6)}`;
  }

  /** A token or key in the usual form that the service never issued. */
  wrongCredential(): string {
    return `${MADE_BY}wrong-${this.#letters(24)}`;
  }

  avatar() {
    const [first, second] = [this.#between(1, 499), this.#between(500, 999)];
    return inForms(this.#readings, 'avatarForm', (form) => ({
      includes: `${first};${second}`,
      name: form === 'plain' ? this.plainText() : this.text(),
      meta: form === 'plain' ? '{"colour":"blue"}' : 'colour=blue;size=2',
      items: [
        { itemId: String(first), type: 1, designId: form === 'plain' ? String(first) : this.text() },
        // The specification: a design is "present on some items and absent on others".
        { itemId: String(second), type: 1 },
      ],
    }));
  }

  profile() {
    return inForms(this.#readings, 'profileForm', (form) => {
      const [status = '', gender] = form.split('-');
      return {
        includes: PROFILE_INCLUDES.join(';'),
        name: form === 'text' ? this.text() : this.plainText(),
        status: form === 'text' ? this.text() : status,
        url: `https://images.example/${this.text()}.png`,
        gender: Number(gender ?? 1),
      };
    });
  }

  /** An unused version label in the form of `example`, with another last number. */
  version(example: string): string {
    // Every hour for years without meeting one again.
    const number = String(this.#between(1_000_000, 9_999_999));
    return /\d/.test(example) ? example.replace(/\d+(?=\D*$)/, number) : example + number;
  }

  context(): Record<string, string> {
    const countries = ['BR', 'DE', 'FR', 'GB', 'IN', 'JP', 'US', 'ZA'] as const;
    return { country: countries[this.#between(0, countries.length - 1)] as string, platform: 'web' };
  }
}
