/** A call of Sextant in a pipeline's recipe. */
export interface RecipeCommand {
  readonly line: string;
  readonly name: string;
  /** Its long options. */
  readonly options: readonly string[];
}

/** Every call of Sextant in a file. */
export function commandsIn(text: string): RecipeCommand[] {
  return [...text.matchAll(/npx sextant (?<name>\w+)(?<rest>[^\n]*)/g)].map(({ 0: line, groups }) => ({
    line,
    name: groups?.name ?? '',
    options: [...(groups?.rest ?? '').matchAll(/(?<= )--[a-z-]+/g)].map(([option]) => option),
  }));
}
