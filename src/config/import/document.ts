import { type ParsedYaml, parseYaml } from '../yaml.ts';

/** A file to import, parsed at most once in each way. */
export class Document {
  readonly file: string;
  readonly text: string;
  #json: Found | undefined;
  #yaml: ParsedYaml | undefined;

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text.replace(/^\uFEFF/, '');
  }

  get looksLikeJson(): boolean {
    return /^\s*[{[]/.test(this.text);
  }

  /** Without a value if it is not JSON. */
  get json(): Found {
    this.#json ??= new Found(attempt(() => JSON.parse(this.text)));
    return this.#json;
  }

  /** A sentence about what keeps it from being read, for a message; empty if nothing does. */
  get trouble(): string {
    if (this.looksLikeJson && !this.json.isThere) return ' It starts like JSON, but is not valid JSON.';
    return this.#yaml && 'problem' in this.#yaml && /^\s*(openapi|swagger)\b/m.test(this.text)
      ? ` As YAML: ${this.#yaml.problem}; ${this.#yaml.cure}.`
      : '';
  }

  /** JSON or YAML. */
  get tree(): Found {
    if (this.looksLikeJson) return this.json;
    this.#yaml ??= attempt(() => parseYaml(this.text)) ?? { problem: 'nested too deeply', cure: 'correct it' };
    return new Found('value' in this.#yaml ? this.#yaml.value : undefined);
  }
}

/** A value in a document of unknown form. */
export class Found {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  get isThere(): boolean {
    return this.value !== undefined && this.value !== null;
  }

  get isList(): boolean {
    return Array.isArray(this.value);
  }

  /** A text, a number or a boolean as text; anything else can't be the value of a variable, and is empty. */
  get text(): string {
    return ['string', 'number', 'boolean'].includes(typeof this.value) ? String(this.value) : '';
  }

  get list(): Found[] {
    return Array.isArray(this.value) ? this.value.map((each) => new Found(each)) : [];
  }

  /** The fields of a record. */
  get fields(): [name: string, field: Found][] {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    return Object.entries(value).map(([name, each]) => [name, new Found(each)]);
  }

  /** A field of a record. */
  at(name: string): Found {
    const { value } = this;
    const has = typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name);
    return new Found(has ? (value as Readonly<Record<string, unknown>>)[name] : undefined);
  }
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
  readonly body?: string | undefined;
}

/** The header of a token; none without one. */
export function bearer(token: string): [name: string, value: string][] {
  return token ? [['Authorization', `bearer ${token}`]] : [];
}

/** What a file holds, in its own words. */
export interface Contents {
  /** The environment's or the collection's name in it. */
  readonly name?: string | undefined;
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
