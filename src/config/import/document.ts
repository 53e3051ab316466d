import { type ParsedYaml, parseYaml } from '../yaml.ts';

/** A file to import, parsed at most once in each way. */
export class Document {
  readonly file: string;
  readonly text: string;
  #json: { readonly value: unknown } | undefined;
  #yaml: ParsedYaml | undefined;

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

  /** A sentence about what keeps it from being read, for a message; empty if nothing does. */
  get trouble(): string {
    if (this.looksLikeJson && this.json === undefined) return ' It starts like JSON, but is not valid JSON.';
    return this.#yaml && 'problem' in this.#yaml && /^\s*(openapi|swagger)\b/m.test(this.text)
      ? ` As YAML: ${this.#yaml.problem}; ${this.#yaml.cure}.`
      : '';
  }

  /** JSON or YAML, with a record at its top; `undefined` otherwise. */
  get record(): Readonly<Record<string, unknown>> | undefined {
    if (this.looksLikeJson) return recordOf(this.json);
    this.#yaml ??= attempt(() => parseYaml(this.text)) ?? { problem: 'nested too deeply', cure: 'correct it' };
    return 'value' in this.#yaml ? recordOf(this.#yaml.value) : undefined;
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
function attempt<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

/** A variable of another tool's file. */
export interface Variable {
  /** As it is called there. */
  readonly key: string;
  readonly value: string;
  readonly enabled: boolean;
  /** The file itself says that it is a secret. */
  readonly isSecret: boolean;
}

/** A request of another tool's file; values may hold `{{variables}}`. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}

/** What a file holds, in its own words. */
export interface Contents {
  /** The environment's or the collection's name in it. */
  readonly name?: string;
  readonly variables: readonly Variable[];
  readonly requests: readonly SeenRequest[];
  /** Other things that can't be taken, with reasons; never values. */
  readonly ignored?: readonly string[];
}

export function variable(key: string, value: string, more: Partial<Variable> = {}): Variable {
  return { key, value, enabled: true, isSecret: false, ...more };
}

/** A kind of file that can be imported. */
export interface Format {
  /** In a list of all kinds, e.g. `a Postman environment`. */
  readonly kind: string;
  /** Its contents; `undefined` if the document is of another kind. @throws ConfigurationError if it is one that can't be read. */
  readonly read: (document: Document) => Contents | undefined;
}
