import { inspect } from 'node:util';

export const MASK = '***';

/** A value that prints as `***`, however it is printed. */
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
 * A value that prints as `***` unless `reveal` is called. As long as anything refers to the secret, no artifact of
 * this process shows the value (see `redact`).
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

/** All secrets in the order of their creation. `redact` removes secrets that nothing refers to any more. */
export const created: WeakRef<Secret>[] = [];
