import { inspect } from 'node:util';

/** What stands where a secret was. */
export const MASK = '***';

/** A value that prints as `***` wherever it is turned to text, unless it is revealed by name. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
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
