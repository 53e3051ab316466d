import { MASK, type Secret } from './secret.ts';
import { secretVariants } from './secret-variants.ts';

/** Characters up to which a text is searched variant by variant. */
const SHORT_TEXT = 16_384;

/** Takes secrets out of texts and JSON values, in every form that `secretVariants` knows. */
export class Redactor {
  /** The longest first, so that no part of one is left over. */
  #variants: readonly string[] = [];
  #pattern: RegExp | undefined;

  constructor(secrets: Iterable<Secret> = []) {
    this.add(...secrets);
  }

  /** Secrets may come during a run: a provisioned user brings a token of its own. */
  add(...secrets: Secret[]): void {
    const known = new Set([...this.#variants, ...secrets.flatMap(variantsOf)]);
    this.#variants = [...known].filter(Boolean).sort((a, b) => b.length - a.length);
    this.#pattern = undefined;
  }

  text(text: string): string {
    return this.#mayHoldOne(text) ? text.replace(this.#compiled(), MASK) : text;
  }

  /** Nearly every text is short and clean: looking for each variant then costs far less than compiling the pattern. */
  #mayHoldOne(text: string): boolean {
    if (text.length > SHORT_TEXT) return this.#variants.length > 0;
    return this.#variants.some((variant) => text.length >= variant.length && text.includes(variant));
  }

  #compiled(): RegExp {
    this.#pattern ??= new RegExp(this.#variants.map(literally).join('|'), 'g');
    return this.#pattern;
  }

  /** `value` with secrets out of its strings, keys and numbers; without recursion, for an answer may be 100,000 deep. */
  json(value: unknown): unknown {
    const root: Record<string, unknown> = { value };
    const pending: Record<string, unknown>[] = [root];
    for (let node = pending.pop(); node; node = pending.pop()) {
      for (const key of Object.keys(node)) {
        const child = node[key];
        const clean = typeof child === 'object' && child !== null ? this.#shallow(child) : this.#scalar(child);
        // Plain assignment to "__proto__" would change the prototype instead of the field.
        Object.defineProperty(node, key, { value: clean, enumerable: true, configurable: true, writable: true });
        if (typeof clean === 'object' && clean !== null) pending.push(clean as Record<string, unknown>);
      }
    }
    return root.value;
  }

  #scalar(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number' && this.text(String(value)) !== String(value)) return MASK;
    return value;
  }

  #shallow(value: object): object {
    if (Array.isArray(value)) return [...value];
    const copy = {};
    for (const [key, child] of Object.entries(value)) {
      Object.defineProperty(copy, this.text(key), {
        value: child,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return copy;
  }
}

const known = new WeakMap<Secret, readonly string[]>();

/** The same secrets are looked for in every scenario. */
function variantsOf(secret: Secret): readonly string[] {
  const variants = known.get(secret) ?? secretVariants(secret.reveal());
  known.set(secret, variants);
  return variants;
}

/** RegExp.escape came with Node 24. */
function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
