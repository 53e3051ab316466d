/** The id that a change is about, which is the only text among its arguments. */
export function idIn(args: unknown): string | undefined {
  return Object.values((args ?? {}) as object).find((value): value is string => typeof value === 'string');
}
