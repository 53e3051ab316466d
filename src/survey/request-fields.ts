import { requestSchemas } from '../../schemas/index.ts';
import type { Operation } from '../spec/index.ts';

/** A documented top-level field of a request body, as far as experiments care. */
export interface RequestField {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'array' | 'object';
  /** Prose, not an id or a list in disguise: a text without pattern or least length. */
  readonly isFreeText: boolean;
}

export function fieldsOf({ request }: Operation): RequestField[] {
  if (!request) return [];
  const properties: Readonly<Record<string, { type: string; pattern?: string; minLength?: number }>> =
    requestSchemas[request].properties;
  return Object.entries(properties).map(([name, { type, pattern, minLength }]) => ({
    name,
    type: type as RequestField['type'],
    isFreeText: type === 'string' && pattern === undefined && minLength === undefined,
  }));
}

/** A value that is certainly not of a field's documented type. */
export function wrongValue({ type }: RequestField): unknown {
  return type === 'string' ? 12_345 : 'sextant';
}
