import { type Limits, Needles } from './search.ts';
import { MASK, type Secret } from './secret.ts';

declare const redacted: unique symbol;

/**
 * A text, or a value with texts, that a `Redactor` has processed. Every output accepts only this type, so that a new output can't forget to
 * redact.
 */
export type Redacted<T = string> = T & { readonly [redacted]: true };

/**
 * A search that reaches these limits blocks the process for about half a second, and takes a few hundred megabytes of memory. A search of ordinary
 * JSON of 5 MB takes about a third of both.
 */
const LIMITS_OF_BODY: Limits = { characters: 40_000_000, pieces: 600_000 };

/**
 * Values of marks: `Needles` sets MARKED for a character of a secret. MARKED_NUMBER marks a whole JSON number, which is masked as a string.
 */
const MARKED = 1;
const MARKED_NUMBER = 2;

/** The search for each list of secrets. Redactors of one list share it until they get a further secret. */
const searches = new WeakMap<readonly Secret[], Needles>();

/** Maximum length of a remembered text, in characters, and maximum number of remembered texts. */
const LONGEST_REMEMBERED = 200;
const MOST_REMEMBERED = 200;

/**
 * Masks secrets in texts and JSON values in the spellings that software produces: `docs/security.md` has the table.
 * Everything else stays unchanged, to the byte. The work is linear in the length of the text.
 */
export class Redactor {
  /** Values instead of `Secret` objects, because a reference would keep a provisioned user's secrets in use after the scenario. */
  readonly #secrets = new Set<string>();
  /** Secrets of digits only, as numbers, because JSON may round them or write them with an exponent. */
  readonly #numbers = new Set<number>();
  readonly #first: readonly Secret[];
  #needles: Needles;

  /** `secrets` must not change afterwards: an environment's list of secrets, for instance, which all its scenarios have. */
  constructor(secrets: readonly Secret[] = []) {
    this.#first = secrets;
    this.#needles = searches.get(secrets) ?? needlesOf(secrets);
    searches.set(secrets, this.#needles);
    for (const secret of secrets) this.#note(secret);
  }

  /** Adds secrets. Some come only during a run, when a user is provisioned or a token is issued. */
  add(...secrets: Secret[]): void {
    for (const secret of secrets) {
      if (!this.#note(secret)) continue;
      if (this.#needles === searches.get(this.#first)) this.#needles = needlesOf(this.#first);
      this.#needles.add(secret);
    }
  }

  /** Returns whether the secret is a new one. */
  #note(secret: Secret): boolean {
    const value = secret.reveal();
    if (value === '' || this.#secrets.has(value)) return false;
    this.#secrets.add(value);
    if (/^\d+$/.test(value)) this.#numbers.add(Number(value));
    return true;
  }

  /** `text` with `***` in place of each secret. A JSON object or array stays valid. */
  text(text: string): Redacted {
    return this.#clean(text, this.#needles.search(text).marks, /^\s*[{[]/);
  }

  /** The same as `text` for a text that recurs, such as a header or an address. Remembers short texts without a secret. */
  recurring(text: string): Redacted {
    const { clean } = this.#needles;
    if (clean.has(text)) return text as Redacted;
    const masked = this.text(text);
    if (clean.size >= MOST_REMEMBERED) clean.clear();
    if (masked === text && text.length <= LONGEST_REMEMBERED) clean.add(text);
    return masked;
  }

  /**
   * The same as `text` for a body, which may be any JSON value. A secret number becomes a string. `undefined` if the search
   * would take too much time or memory; then no part of the body may be shown.
   */
  body(text: string): Redacted | undefined {
    const { marks, isTooMuch } = this.#needles.search(text, LIMITS_OF_BODY);
    return isTooMuch ? undefined : this.#clean(text, marks, /^\s*["{[\d-]/);
  }

  /** `value` with secrets masked in strings, keys and numbers. */
  json(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number')
      return this.#numbers.has(value) || this.text(String(value)) !== String(value) ? MASK : value;
    if (Array.isArray(value)) return value.map((each) => this.json(each));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [this.text(key), this.json(each)]));
  }

  #clean(text: string, marks: Uint8Array | undefined, jsonBegins: RegExp): Redacted {
    if (!marks && this.#numbers.size === 0) return text as Redacted;
    const all = marks ?? new Uint8Array(text.length);
    if (!jsonBegins.test(text) || !isJson(text)) return shown(text, all) as Redacted;
    for (const { start, end } of jsonNumbers(text)) {
      const isSecret = this.#numbers.has(Number(text.slice(start, end))) || all.subarray(start, end).includes(MARKED);
      if (isSecret) all.fill(MARKED_NUMBER, start, end);
    }
    const clean = shown(text, all);
    // If a secret includes quotes or brackets of the JSON, masking it makes the JSON invalid. Then the whole text is masked.
    return (isJson(clean) ? clean : JSON.stringify(MASK)) as Redacted;
  }
}

function needlesOf(secrets: readonly Secret[]): Needles {
  const needles = new Needles();
  for (const secret of secrets) needles.add(secret);
  return needles;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function shown(text: string, marks: Uint8Array): string {
  const parts: string[] = [];
  for (let [at, end] = [0, 0]; at < text.length; at = end) {
    const mark = marks[at];
    while (marks[end] === mark) end++;
    parts.push(mark === 0 ? text.slice(at, end) : mark === MARKED_NUMBER ? JSON.stringify(MASK) : MASK);
  }
  return parts.join('');
}

function* jsonNumbers(json: string): Generator<{ readonly start: number; readonly end: number }> {
  for (let index = 0; index < json.length; index++) {
    const start = index;
    if (json[index] === '"') while (json[++index] !== '"') if (json[index] === '\\') index++;
    if (!/[\d-]/.test(json[start] as string)) continue;
    while (/[\d.eE+-]/.test(json[index + 1] ?? '')) index++;
    yield { start, end: index + 1 };
  }
}
