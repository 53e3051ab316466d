import { createRequire } from 'node:module';
import type { Ajv, ValidateFunction } from 'ajv';
import { type RequestSchemaName, requestSchemas } from './requests.ts';

export interface SchemaProblem {
  /** JSON Pointer to the offending place; empty for the whole value. */
  readonly path: string;
  readonly message: string;
}

/** Ajv. It is loaded with the first request body, because many processes validate none. */
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
  // A test validates these schemas against the meta-schema. To repeat that here, or to optimize the generated code, would take longer than
  // to validate all requests.
  const quick = { meta: false, validateSchema: false, code: { optimize: false } } as const;
  ajv ??= new library.Ajv({ strict: true, allErrors: true, ...quick });
  return ajv.compile(requestSchemas[name]);
}
