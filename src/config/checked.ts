/** A value that was read, or what is wrong with it. */
export type Checked<T> = { readonly value: T } | { readonly problem: string };
