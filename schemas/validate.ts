import type { ValidateFunction } from 'ajv';
import { validators } from './request-validators.ts';
import type { RequestSchemaName } from './requests.ts';

export interface SchemaProblem {
  /** JSON Pointer to the offending place; empty for the whole value. */
  readonly path: string;
  readonly message: string;
}

/** The validators, compiled in advance: to load Ajv and to compile them would take longer than all requests of many commands. */
const byName = validators as unknown as Readonly<Record<RequestSchemaName, ValidateFunction>>;

/** Returns the problems of `body` according to the documented request schema. An empty list means that the body conforms. */
export function validateRequest(schema: RequestSchemaName, body: unknown): SchemaProblem[] {
  const validate = byName[schema];
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => ({
    path: instancePath,
    message:
      'additionalProperty' in params
        ? `unknown field ${JSON.stringify(params.additionalProperty)}`
        : (message ?? 'invalid'),
  }));
}
