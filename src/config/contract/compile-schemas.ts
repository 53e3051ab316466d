import { createRequire } from 'node:module';
import type { Ajv2020, Options, ValidateFunction } from 'ajv/dist/2020.js';
import type { FormatsPlugin } from 'ajv-formats';
import { type Conformance, MASK } from '../../client/index.ts';
import { problemWords } from './problem-words.ts';
import type { Definition } from './schema-book.ts';

/** A pattern means what it means with Unicode; where it isn't valid so, what it means without. */
const regExp = Object.assign(
  (pattern: string) => {
    try {
      return new RegExp(pattern, 'u');
    } catch {
      return new RegExp(pattern);
    }
  },
  { code: 'new RegExp' },
);

const options: Options = {
  // A document may hold keywords and formats of its team's own.
  strict: false,
  logger: false,
  allErrors: true,
  verbose: true,
  validateSchema: false,
  code: { regExp },
};

/** Compiles the definitions of a book, whose schemas refer to each other by index. */
export class CompiledSchemas {
  readonly #ajv: Ajv2020;
  readonly #definitions: readonly Definition[];

  constructor(definitions: readonly Definition[]) {
    const require = createRequire(import.meta.url);
    const { Ajv2020: Ajv } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
    this.#ajv = new Ajv(options);
    (require('ajv-formats') as FormatsPlugin)(this.#ajv);
    this.#definitions = definitions;
    this.#ajv.addSchema({ $defs: { ...definitions.map(({ schema }) => schema) } }, 'book');
  }

  /**
   * Makes sure that every definition is a schema.
   * @throws DocumentTrouble with the place of the first that isn't.
   */
  assertValid(): void {
    for (const { place, schema } of this.#definitions) {
      if (typeof schema === 'boolean' || this.#ajv.validateSchema(schema) === true) continue;
      const [error] = this.#ajv.errors ?? [];
      const allowed = (error?.params.allowedValues as unknown[] | undefined)?.join(', ');
      const words = `${error?.message}${allowed ? ` (${allowed})` : ''}`;
      throw place.trouble(`isn't JSON Schema: it ${words}; correct it`, error?.instancePath);
    }
    for (const [index, { place }] of this.#definitions.entries())
      try {
        this.#validator(index);
      } catch (error) {
        const [reason = ''] = (error as Error).message.split('\n');
        throw place.trouble(`Ajv can't compile it: ${reason}; correct it`);
      }
  }

  /** Holds values to a definition. */
  conformance(index: number): Conformance {
    return (value) => {
      const validate = this.#validator(index);
      if (validate(value)) return [];
      // A masked value is no longer what was sent.
      const errors = (validate.errors ?? []).filter(({ data }) => !(typeof data === 'string' && data.includes(MASK)));
      return problemWords(errors);
    };
  }

  #validator(index: number): ValidateFunction {
    return this.#ajv.getSchema(`book#/$defs/${index}`) as ValidateFunction;
  }
}
