/** `1 scenario`, `2 scenarios`: a number with its noun. `plural` is for nouns that don't take an s. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
