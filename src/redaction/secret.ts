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
    created.push(new WeakRef(this));
  }

  reveal(): string {
    return this.#value;
  }
}

/** Every secret in the order of creation; the redactor takes out those that nothing refers to any more. */
export const created: WeakRef<Secret>[] = [];
