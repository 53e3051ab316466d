import { Needles } from './search.ts';
import { MASK, type Secret } from './secret.ts';

declare const redacted: unique symbol;

/**
 * A text, or a value with texts, that went through a `Redactor`: everything that is shown, sent or stored has this
 * type, so that a new sink can't forget it.
 */
export type Redacted<T = string> = T & { readonly [redacted]: true };

/** The mark of `Needles`, and one for a whole JSON number, which is masked as a string. */
const MARKED = 1;
const MARKED_NUMBER = 2;

/**
 * Masks secrets in texts and JSON values in the spellings that software produces: `docs/security.md` has the table.
 * Everything else stays unchanged, to the byte. The work is linear in the text.
 */
export class Redactor {
  /** By value. The objects aren't held: a user provisioned for one scenario is forgotten with it. */
  readonly #secrets = new Set<string>();
  /** Secrets of digits only: as JSON numbers they may be rounded, or have an exponent. */
  readonly #numbers = new Set<number>();
  /** Absent as long as there is no secret. */
  #needles: Needles | undefined;

  constructor(secrets: Iterable<Secret> = []) {
    this.add(...secrets);
  }

  get size(): number {
    return this.#secrets.size;
  }

  /** Adds secrets during a run: a provisioned user has a new token, or one was issued. */
  add(...secrets: Secret[]): void {
    for (const secret of secrets) {
      const value = secret.reveal();
      if (value === '' || this.#secrets.has(value)) continue;
      this.#secrets.add(value);
      if (/^\d+$/.test(value)) this.#numbers.add(Number(value));
      this.#needles ??= new Needles();
      this.#needles.add(secret);
    }
  }

  /** `text` with `***` in place of each secret. A JSON object or array stays valid. */
  text(text: string): Redacted {
    return this.#clean(text, /^\s*[{[]/);
  }

  /** The same for a body that may be JSON: a secret number becomes a string. */
  body(text: string): Redacted {
    return this.#clean(text, /^\s*["{[\d-]/);
  }

  /**
   * `value` with secrets masked in strings, keys and numbers; without recursion, because a response may be 100,000
   * levels deep.
   */
  json(value: unknown): unknown {
    const root: Record<string, unknown> = { value };
    const pending: Record<string, unknown>[] = [root];
    for (let node = pending.pop(); node; node = pending.pop()) {
      for (const key of Object.keys(node)) {
        const child = node[key];
        const clean = typeof child === 'object' && child !== null ? this.#shallow(child) : this.#scalar(child);
        define(node, key, clean);
        if (typeof clean === 'object' && clean !== null) pending.push(clean as Record<string, unknown>);
      }
    }
    return root.value;
  }

  #clean(text: string, jsonBegins: RegExp): Redacted {
    if (!this.#needles) return text as Redacted;
    const { marks } = this.#needles.search(text);
    if (!marks && this.#numbers.size === 0) return text as Redacted;
    if (jsonBegins.test(text) && isJson(text))
      return this.#cleanJson(text, marks ?? new Uint8Array(text.length)) as Redacted;
    return (marks ? shown(text, marks) : text) as Redacted;
  }

  #cleanJson(json: string, marks: Uint8Array): string {
    for (const { start, end } of jsonNumbers(json)) {
      const isSecret = this.#numbers.has(Number(json.slice(start, end))) || marks.subarray(start, end).includes(MARKED);
      if (isSecret) marks.fill(MARKED_NUMBER, start, end);
    }
    const clean = shown(json, marks);
    // A secret may contain a quote, or be everywhere.
    return isJson(clean) ? clean : JSON.stringify(MASK);
  }

  #scalar(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'number') return value;
    return this.#numbers.has(value) || this.text(String(value)) !== String(value) ? MASK : value;
  }

  #shallow(value: object): object {
    if (Array.isArray(value)) return [...value];
    const copy = {};
    for (const [key, child] of Object.entries(value)) define(copy, this.text(key), child);
    return copy;
  }
}

/** Plain assignment to "__proto__" would change the prototype instead of the field. */
function define(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
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
