import { createRequire } from 'node:module';
import type { Ajv, ValidateFunction } from 'ajv';
import { type RequestSchemaName, requestSchemas } from './requests.ts';

export interface SchemaProblem {
  /** JSON Pointer to the offending place; empty for the whole value. */
  readonly path: string;
  readonly message: string;
}

/** Ajv. It is loaded when the first request body is validated, because many processes validate no body. */
let ajv: Ajv | undefined;
const compiled = new Map<RequestSchemaName, ValidateFunction>();

/** Returns the problems of `body` according to the documented request schema. An empty list means that the body conforms. */
export function validateRequest(schema: RequestSchemaName, body: unknown): SchemaProblem[] {
  const validate = compiled.get(schema) ?? compile(schema);
  compiled.set(schema, validate);
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => ({
    path: instancePath,
    message:
      'additionalProperty' in params
        ? `unknown field ${JSON.stringify(params.additionalProperty)}`
        : (message ?? 'invalid'),
  }));
}

function compile(name: RequestSchemaName): ValidateFunction {
  const library = createRequire(import.meta.url)('ajv') as typeof import('ajv');
  // The request schemas are valid: a test validates them against the meta-schema. Validating them here, too, or optimizing the generated
  // code, would take longer than validating all requests of a run.
  const quick = { meta: false, validateSchema: false, code: { optimize: false } } as const;
  ajv ??= new library.Ajv({ strict: true, allErrors: true, ...quick });
  return ajv.compile(requestSchemas[name]);
}
