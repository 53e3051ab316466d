type DefinedFields<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

export function definedFields<T extends Record<string, unknown>>(fields: T): DefinedFields<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as DefinedFields<T>;
}
