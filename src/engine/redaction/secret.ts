import { inspect } from 'node:util';

export const MASK = '***';

/** Prints as `***`, however it is printed. */
export class Masked {
  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [inspect.custom](): string {
    return MASK;
  }
}

/**
 * A value that prints as `***` unless it is revealed explicitly. As long as anything refers to it, no
 * artifact of this process shows its value: see `redact`.
 */
export class Secret extends Masked {
  readonly #value: string;

  constructor(value: string) {
    super();
    this.#value = value;
    const reference = new WeakRef(this);
    inUse.add(reference);
    fresh.add(reference);
    forgotten.register(this, reference);
  }

  reveal(): string {
    return this.#value;
  }
}

const inUse = new Set<WeakRef<Secret>>();
/** Those of them that `newSecrets` has not returned yet. */
const fresh = new Set<WeakRef<Secret>>();
const forgotten = new FinalizationRegistry<WeakRef<Secret>>((reference) => {
  inUse.delete(reference);
  fresh.delete(reference);
});

const revealed = (references: Iterable<WeakRef<Secret>>) => [...references].flatMap((each) => each.deref() ?? []);

export function secretsInUse(): Secret[] {
  return revealed(inUse);
}

export function secretsInUseCount(): number {
  return inUse.size;
}

export function newSecrets(): Secret[] {
  if (fresh.size === 0) return [];
  const secrets = revealed(fresh);
  fresh.clear();
  return secrets;
}
