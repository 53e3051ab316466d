import { yaml } from '../yaml.ts';

/** A file to import, parsed at most once in each way. */
export class Document {
  readonly file: string;
  readonly text: string;
  #json: { readonly value: unknown } | undefined;
  #yaml: { readonly value: unknown } | undefined;

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text.replace(/^\uFEFF/, '');
  }

  get looksLikeJson(): boolean {
    return /^\s*[{[]/.test(this.text);
  }

  /** `undefined` if it is not JSON. */
  get json(): unknown {
    this.#json ??= { value: attempt(() => JSON.parse(this.text)) };
    return this.#json.value;
  }

  /** JSON or YAML, with a record at its top; `undefined` otherwise. */
  get record(): Readonly<Record<string, unknown>> | undefined {
    if (this.looksLikeJson) return recordOf(this.json);
    // A warning about odd text would reach the terminal by itself.
    this.#yaml ??= { value: attempt(() => yaml().parse(this.text, { logLevel: 'error' })) };
    return recordOf(this.#yaml.value);
  }
}

export function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text, a number or a boolean as text; anything else can't be the value of a variable. */
export function textOf(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}

/** Parsers throw for broken text, and for one that is nested too deeply. */
function attempt(parse: () => unknown): unknown {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
