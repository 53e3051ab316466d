/** Notes about an environment that the parts of a run, or of a resident process, keep for each other; oldest first. */
export interface Log<T> {
  all(): readonly T[];
  add(entry: T): void;
}

/** A log of this process alone. With `keyOf` it keeps the latest entry of each key: a process that stays does not grow with its log. */
export function memoryLog<T>(keyOf: (entry: T) => unknown = (entry) => entry): Log<T> {
  const latest = new Map<unknown, T>();
  return {
    all: () => [...latest.values()],
    add: (entry) => {
      latest.delete(keyOf(entry));
      latest.set(keyOf(entry), entry);
    },
  };
}
