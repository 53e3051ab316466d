import { parseYaml } from '../../environment/yaml.ts';
import { isRecord } from '../../http/index.ts';

export type Document = ReturnType<typeof parsedDocument>;

/** A file to import: its text, the value that the JSON or YAML parser returned and, if the parser failed, a sentence with the reason. */
export function parsedDocument(file: string, text: string) {
  const document = { file, text, tree: new Found(undefined), trouble: '' };
  // Parsers throw if a text is broken, or nested too deeply.
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

  /** The value as a text if it is a text, a number or a boolean, otherwise an empty text: a variable can't have any other value. */
  get text(): string {
    return ['string', 'number', 'boolean'].includes(typeof this.value) ? String(this.value) : '';
  }

  get list(): Found[] {
    return Array.isArray(this.value) ? this.value.map((each) => new Found(each)) : [];
  }

  /** The value if it is a record, otherwise an empty record. */
  get record(): Readonly<Record<string, unknown>> {
    const { value } = this;
    return isRecord(value) ? { ...value } : {};
  }

  get fields(): [name: string, field: Found][] {
    return Object.entries(this.record).map(([name, each]) => [name, new Found(each)]);
  }

  /** A field of a record, under the first of these names that exists. */
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
  /** True if the file marks the variable as secret. */
  readonly isSecret: boolean;
}

export function variable(key: string, value: string, more: Partial<Variable> = {}): Variable {
  return { key, value, enabled: true, isSecret: false, ...more };
}

/** Maximum number of names in a line. A longer line ends with the number of further names. */
const MOST_NAMED = 30;
const LONGEST_NAME = 80;

/** Collects the names of everything that the import leaves out, by reason. It never contains values, because they may be secret. */
export class LeftOut {
  readonly #byReason = new Map<string, Set<string>>();

  add(reason: string, name: string): void {
    this.#byReason.set(reason, (this.#byReason.get(reason) ?? new Set()).add(name.slice(0, LONGEST_NAME)));
  }

  /** One line for each reason, e.g. `bodies that are not JSON: POST /v1/friends/block`. */
  get lines(): string[] {
    return [...this.#byReason].map(([reason, names]) => {
      const rest = names.size - MOST_NAMED;
      return `${reason}: ${[...names].slice(0, MOST_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
    });
  }
}

/** A request in another tool's file. Its texts may contain `{{variables}}`. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | undefined;
  /**
   * The line of the script on which the request begins. Messages contain only this number, because the text of the line may contain
   * secrets.
   */
  readonly line?: number;
  /** Variables for this request only. If several have the same name, the last one applies. */
  readonly variables?: readonly Variable[];
}

export interface Contents {
  /** The name of the environment or collection in the file. */
  readonly name?: string | undefined;
  /** Variables of the whole file. If several have the same name, the last enabled one applies, as in the tools that wrote the file. */
  readonly variables: readonly Variable[];
  readonly requests: readonly SeenRequest[];
  /** One line for each reason why the reader of this format leaves something out. Contains no values. */
  readonly ignored?: readonly string[];
}

export interface Format {
  /** The name of this format in a list of all formats, e.g. `a Postman environment`. */
  readonly kind: string;
  /**
   * Returns the contents of a document; `undefined` if the document has another format.
   * @throws ConfigurationError if it has this format, but can't be read
   */
  readonly read: (document: Document) => Contents | undefined;
}
