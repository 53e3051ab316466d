import { parseYaml } from '../../environment/yaml.ts';
import { isRecord } from '../../http/index.ts';

export type Document = ReturnType<typeof parsedDocument>;

/** A file to import: its text, the tree that it is in JSON or YAML, and a sentence on what keeps that from being read, if anything does. */
export function parsedDocument(file: string, text: string) {
  const document = { file, text, tree: new Found(undefined), trouble: '' };
  // Parsers throw for broken text, and for one that is nested too deeply.
  try {
    if (looksLikeJson(text)) {
      const tree = new Found(JSON.parse(text));
      // Postman's API wraps the contents of an export in a record with one field.
      const inner = tree.fields.length === 1 ? tree.at('collection', 'environment') : tree;
      return { ...document, tree: inner.isThere ? inner : tree };
    }
    if (!/^[^\S\n]*openapi["']?[^\S\n]*:/m.test(text)) return document;
    const yaml = parseYaml(text);
    if ('value' in yaml) return { ...document, tree: new Found(yaml.value) };
    return { ...document, trouble: ` As YAML: ${yaml.problem}; ${yaml.cure}.` };
  } catch {
    const format = looksLikeJson(text) ? 'JSON' : 'YAML';
    return { ...document, trouble: ` It starts like ${format}, but is not valid ${format}.` };
  }
}

export function looksLikeJson(text: string): boolean {
  return /^\s*[{[]/.test(text);
}

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

  /** The record itself; anything else is an empty one. */
  get record(): Readonly<Record<string, unknown>> {
    const { value } = this;
    return isRecord(value) ? { ...value } : {};
  }

  get fields(): [name: string, field: Found][] {
    return Object.entries(this.record).map(([name, each]) => [name, new Found(each)]);
  }

  /** A field of a record; of several names, the first that is there. */
  at(...names: string[]): Found {
    const { value } = this;
    const name = names.find((each) => isRecord(value) && Object.hasOwn(value, each));
    return new Found(name === undefined ? undefined : (value as Readonly<Record<string, unknown>>)[name]);
  }
}

export interface Variable {
  readonly key: string;
  readonly value: string;
  readonly enabled: boolean;
  /** The file itself says that it is a secret. */
  readonly isSecret: boolean;
}

export function variable(key: string, value: string, more: Partial<Variable> = {}): Variable {
  return { key, value, enabled: true, isSecret: false, ...more };
}

/** Of more, the number is given. */
const MOST_NAMED = 30;
const LONGEST_NAME = 80;

/** Things that the import doesn't take, by reason, with their names: never a value. */
export class LeftOut {
  readonly #byReason = new Map<string, Set<string>>();

  add(reason: string, name: string): void {
    this.#byReason.set(reason, (this.#byReason.get(reason) ?? new Set()).add(name.slice(0, LONGEST_NAME)));
  }

  /** `bodies that are not JSON: POST /v1/friends/block`, a line for each reason. */
  get lines(): string[] {
    return [...this.#byReason].map(([reason, names]) => {
      const rest = names.size - MOST_NAMED;
      return `${reason}: ${[...names].slice(0, MOST_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
    });
  }
}

/** A request of another tool's file; values may hold `{{variables}}`. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | undefined;
  /** Where it begins in a script, whose text may hold secrets: messages name it by this. */
  readonly line?: number;
  /** Variables that count for this request alone; of one name, the last counts. */
  readonly variables?: readonly Variable[];
}

export interface Contents {
  /** The environment's or the collection's name in it. */
  readonly name?: string | undefined;
  /** Of one name, the last that is enabled counts, as in these tools. */
  readonly variables: readonly Variable[];
  readonly requests: readonly SeenRequest[];
  /** Other things that can't be taken, with reasons; never values. */
  readonly ignored?: readonly string[];
}

export interface Format {
  /** In a list of all kinds, e.g. `a Postman environment`. */
  readonly kind: string;
  /** Its contents; `undefined` if the document is of another kind. @throws ConfigurationError if it is one that can't be read. */
  readonly read: (document: Document) => Contents | undefined;
}
