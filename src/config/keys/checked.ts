/** A value that was read, or what is wrong with it, with the text that is probably meant. */
export type Checked<T> = { readonly value: T } | { readonly problem: string; readonly instead?: string };

/** Whether a value is one that examples hold: `your-client-id`, `<token>`, `{{user_id}}`, `changeme`. */
export function isPlaceholder(value: string): boolean {
  return /^(?:your[-_. ].*|<[^<>]*>|\$?\{.*\}|change[-_]?me|todo|x{3,10}|\.{3}|…)$/i.test(value.trim());
}

/** The problem with a value that isn't secret, if it is a placeholder. */
export function placeholderProblem(value: string): { readonly problem: string } | undefined {
  return isPlaceholder(value) ? { problem: `is still the placeholder ${value}; put your own value here` } : undefined;
}
