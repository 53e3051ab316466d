import type { Document } from './document.ts';

/** A variable of another tool's file. */
export interface Variable {
  /** As it is called there. */
  readonly key: string;
  readonly value: string;
  readonly enabled: boolean;
  /** The file itself says that it is a secret. */
  readonly isSecret: boolean;
}

/** A request of another tool's file; values may hold `{{variables}}`. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}

/** What a file holds, in its own words. */
export interface Contents {
  /** The environment's or the collection's name in it. */
  readonly name?: string;
  readonly variables: readonly Variable[];
  readonly requests: readonly SeenRequest[];
  /** Other things that can't be taken, with reasons; never values. */
  readonly ignored?: readonly string[];
}

export function variable(key: string, value: string, more: Partial<Variable> = {}): Variable {
  return { key, value, enabled: true, isSecret: false, ...more };
}

/** A kind of file that can be imported. */
export interface Format {
  /** In a list of all kinds, e.g. `a Postman environment`. */
  readonly kind: string;
  /** Its contents; `undefined` if the document is of another kind. @throws ConfigurationError if it is one that can't be read. */
  readonly read: (document: Document) => Contents | undefined;
}
