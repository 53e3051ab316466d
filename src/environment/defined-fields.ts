type Present<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

export function present<T extends Record<string, unknown>>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;
}
