import type { Document } from '../document.ts';
import type { Contents } from '../variable.ts';

/** A kind of file that can be imported. */
export interface Format {
  /** In a list of all kinds, e.g. `a Postman environment`. */
  readonly kind: string;
  /** Its contents; `undefined` if the document is of another kind. @throws ConfigurationError if it is one that can't be read. */
  readonly read: (document: Document) => Contents | undefined;
}
