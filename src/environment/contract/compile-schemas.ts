import { createRequire } from 'node:module';
import { createContext, Script } from 'node:vm';
import type { ErrorObject } from 'ajv';
import type { Ajv2020, Options, ValidateFunction } from 'ajv/dist/2020.js';
import type { FormatsPlugin } from 'ajv-formats';
import { generic, typeName } from '../../call/index.ts';
import { MASK } from '../../redaction/index.ts';
import { SuiteFault } from '../../verdict/index.ts';
import type { Place } from './documents.ts';

/** JSON Schema 2020-12, without annotations. */
export type JsonSchema = boolean | Readonly<Record<string, unknown>>;

/** A schema of an OpenAPI document, converted to JSON Schema, and its place in the document. */
export interface Definition {
  readonly place: Place;
  readonly schema: JsonSchema;
}

/** Compiles a pattern with the Unicode flag. A pattern that is invalid with this flag is compiled without it. */
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
  // A document may contain keywords and formats that a team defined.
  strict: false,
  logger: false,
  allErrors: true,
  verbose: true,
  validateSchema: false,
  // Optimizing the code of a validator would take longer than all its validations.
  code: { regExp, optimize: false },
};

/**
 * Creates a validator (Ajv). Each `SchemaBook` needs its own: the name of a schema is its index in the book, so the same name means another
 * schema in another book.
 */
export function newAjv(): Ajv2020 {
  // Loaded only with the first document, because most environments have none.
  const require = createRequire(import.meta.url);
  const { Ajv2020: Ajv } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const ajv = new Ajv(options);
  (require('ajv-formats') as FormatsPlugin)(ajv);
  return ajv;
}

/** Validates schemas themselves, against the meta-schema of JSON Schema. All books share it, because compiling the meta-schema is slow. */
let ofSchemas: Ajv2020 | undefined;

/** @throws DocumentTrouble if the definition isn't a valid schema. */
export function assertSchema({ place, schema }: Definition): void {
  ofSchemas ??= newAjv();
  if (typeof schema === 'boolean' || ofSchemas.validateSchema(schema) === true) return;
  const [error] = ofSchemas.errors ?? [];
  const allowed = (error?.params.allowedValues as unknown[] | undefined)?.join(', ');
  const words = `${error?.message}${allowed ? ` (${allowed})` : ''}`;
  throw place.trouble(`isn't JSON Schema: it ${words}; correct it`, error?.instancePath);
}

/** Time limit of a check, in ms. A pattern such as `(a+)+$` takes very long for some texts, and a response must not block the process. */
const LONGEST_MS = 2_000;
const limited = new Script('validate(value)');
/** The VM context in which `limited` runs. Created for the first check with a time limit, because most environments have no document. */
let room: { validate?: ValidateFunction | undefined; value?: unknown } | undefined;

function conforms(value: unknown, validate: ValidateFunction, name: string): boolean {
  room ??= createContext({}) as NonNullable<typeof room>;
  try {
    return limited.runInContext(Object.assign(room, { validate, value }), { timeout: LONGEST_MS });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    const cure = 'correct the pattern that takes so long';
    throw new SuiteFault(`a value could not be checked against ${name} within ${LONGEST_MS / 1_000} s; ${cure}`);
  } finally {
    Object.assign(room, { validate: undefined, value: undefined });
  }
}

/**
 * Returns the problems of a value. If `slow`, the name of the schema, is given, the check has a time limit. @throws SuiteFault if the check
 * exceeds the limit.
 */
export function problemsOf(value: unknown, validate: ValidateFunction, slow?: string): string[] {
  if (slow === undefined ? validate(value) : conforms(value, validate, slow)) return [];
  // Ignores problems of masked values, because a masked value differs from the value that the service sent.
  const errors = (validate.errors ?? []).filter(({ data }) => !(typeof data === 'string' && data.includes(MASK)));
  return problemWords(errors);
}

/**
 * A sentence for each of Ajv's errors, such as `/items/0/id is missing`. If a value fits no alternative of an `anyOf` or `oneOf`, only the
 * problem deepest in the value is shown.
 */
function problemWords(errors: readonly ErrorObject[]): string[] {
  const kept: { readonly at: string; readonly text: string }[] = [];
  for (const error of errors) {
    const { keyword, instancePath } = error;
    if (keyword === 'anyOf' || (keyword === 'oneOf' && error.params.passingSchemas === null)) {
      // Ajv reports "fits no alternative" right after the errors of the single alternatives, so these errors are the last ones in `kept`.
      const from = kept.findLastIndex(({ at }) => !at.startsWith(instancePath)) + 1;
      const [closest] = kept.splice(from).toSorted((a, b) => b.at.length - a.at.length);
      const hint = closest ? ` (${closest.text})` : '';
      kept.push({ at: instancePath, text: `${placeOf(instancePath)} fits none of the specified alternatives${hint}` });
    } else kept.push({ at: instancePath, text: words(error) });
  }
  return [...new Set(kept.map(({ text }) => text))];
}

function words({ keyword, instancePath, params, message = 'is invalid', data }: ErrorObject): string {
  const where = placeOf(instancePath);
  switch (keyword) {
    case 'required':
      return `${generic(`${instancePath}/${params.missingProperty}`)} is missing`;
    case 'type':
      return `${where} is ${typeName(data)}, but ${[params.type].flat().join(' or ')} is specified`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `${generic(`${instancePath}/${params.additionalProperty ?? params.unevaluatedProperty}`)} isn't specified`;
    case 'enum':
      return `${where} is ${shown(data)}, but ${(params.allowedValues as unknown[]).map(shown).join(', ')} are specified`;
    case 'const':
      return `${where} is ${shown(data)}, but ${shown(params.allowedValue)} is specified`;
    case 'format':
      return `${where} is not in the format ${params.format}`;
    case 'oneOf':
      return `${where} fits more than one of the alternatives of which one is specified`;
    case 'false schema':
      return `${where} must not be there`;
    default:
      return `${where} ${message}`;
  }
}

function placeOf(pointer: string): string {
  return generic(pointer) || 'the body';
}

function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return typeName(value);
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
