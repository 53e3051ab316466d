declare const redacted: unique symbol;

/** A text that went through a `Redactor`: only such a one may be shown, sent on or kept. */
export type Redacted = string & { readonly [redacted]: true };
