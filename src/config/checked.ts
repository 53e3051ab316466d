/** A value that was read, or what is wrong with it, with the text that is probably meant. */
export type Checked<T> = { readonly value: T } | { readonly problem: string; readonly instead?: string };
