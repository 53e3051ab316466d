import { inspect } from 'node:util';

/** What stands where a secret was. */
export const MASK = '***';

/**
 * A value that prints as `***` wherever it is turned to text, unless it is revealed by name. As long as anything refers to it, no
 * artifact of this process shows its value: see `redact`.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
    const reference = new WeakRef(this);
    inUse.add(reference);
    forgotten.register(this, reference);
    version++;
  }

  reveal(): string {
    return this.#value;
  }

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

const inUse = new Set<WeakRef<Secret>>();
const forgotten = new FinalizationRegistry<WeakRef<Secret>>((reference) => {
  inUse.delete(reference);
  version++;
});
let version = 0;

/** Every secret that anything in this process refers to. */
export function secretsInUse(): Secret[] {
  return [...inUse].flatMap((reference) => reference.deref() ?? []);
}

/** Another number whenever there are other secrets. */
export function secretsVersion(): number {
  return version;
}
