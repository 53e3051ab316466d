const putBacks = new WeakSet<object>();

/** Arguments that restore what was there before: sending them is not a change to undo. */
export function asRestoration<T>(args: T): T {
  if (typeof args === 'object' && args !== null) putBacks.add(args);
  return args;
}

export function isPutBack(args: unknown): boolean {
  return typeof args === 'object' && args !== null && putBacks.has(args);
}
