import { type Field, fieldsOf } from '../scenario/index.ts';
import type { Operation } from '../spec/index.ts';

/** A documented field at the top of a request body. */
export interface RequestField extends Omit<Field, 'path'> {
  readonly name: string;
}

/** The documented fields at the top of an operation's request body, as far as experiments change them. */
export function requestFields({ request }: Operation): RequestField[] {
  if (!request) return [];
  return fieldsOf(request).flatMap(({ path, ...field }) =>
    path.length === 1 ? [{ name: String(path[0]), ...field }] : [],
  );
}

/** A value that is certainly not of a field's documented type. */
export function wrongValue({ type }: RequestField): unknown {
  return type === 'string' ? 12_345 : 'sextant';
}
