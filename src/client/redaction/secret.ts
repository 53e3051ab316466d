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
    forgotten.register(this, reference);
    version++;
  }

  reveal(): string {
    return this.#value;
  }
}

const inUse = new Set<WeakRef<Secret>>();
const forgotten = new FinalizationRegistry<WeakRef<Secret>>((reference) => {
  inUse.delete(reference);
  version++;
});
let version = 0;

export function secretsInUse(): Secret[] {
  return [...inUse].flatMap((reference) => reference.deref() ?? []);
}

/** Changes whenever the set of secrets does. */
export function secretsVersion(): number {
  return version;
}
