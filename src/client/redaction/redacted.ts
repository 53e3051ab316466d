declare const redacted: unique symbol;

/**
 * A text, or a value with all the texts in it, that went through a `Redactor`: whatever is shown, sent on or kept is of this type,
 * so that a new place for it can't be added without.
 */
export type Redacted<T = string> = T & { readonly [redacted]: true };
