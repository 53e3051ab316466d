declare const redacted: unique symbol;

/**
 * A text, or a value with texts, that went through a `Redactor`: everything that is shown, sent or stored has this type,
 * so that a new sink can't forget it.
 */
export type Redacted<T = string> = T & { readonly [redacted]: true };
