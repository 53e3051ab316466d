import { type Field, fieldsOf } from '../../scenario/index.ts';
import type { Operation } from '../../spec/index.ts';

/** A documented top-level field of a request body. */
export interface RequestField extends Omit<Field, 'path'> {
  readonly name: string;
}

/** The documented top-level fields of an operation's request body that experiments change. */
export function requestFields({ request }: Operation): RequestField[] {
  if (!request) return [];
  return fieldsOf(request).flatMap(({ path, ...field }) =>
    path.length === 1 ? [{ name: String(path[0]), ...field }] : [],
  );
}

export function wrongValue({ type }: RequestField): unknown {
  return type === 'string' ? 12_345 : 'sextant';
}
