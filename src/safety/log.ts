/** Entries about an environment, oldest first. Several processes of a run may share a log, or several runs of a resident process. */
export interface Log<T> {
  all(): readonly T[];
  add(entry: T): void;
}

/**
 * A log in the memory of this process. It keeps only the latest entry of each `keyOf`, so that it doesn't grow without limit in a resident process.
 */
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
