import type { MistakeName } from '../../client/index.ts';

export interface MistakenSpec {
  readonly mistake: MistakeName;
  /** Below the line that imports `expect`, `scenario` and `unwritten`. */
  readonly source: string;
  /** The line of the mistake, where the import is line 1. */
  readonly line: number;
  /** The message after its place. */
  readonly says: RegExp;
  /** What Playwright Test says itself, where it finds the mistake before the suite can. */
  readonly playwright?: RegExp;
}

/** Rows of mistakes that stand in a line, unless they say otherwise. */
export function mistakesAt(
  line: number,
  rows: readonly (Omit<MistakenSpec, 'line'> & Partial<MistakenSpec>)[],
): MistakenSpec[] {
  return rows.map((row) => ({ line, ...row }));
}

export const read = "{ tag: ['@friends', '@read'] }";
export const inBody = (title: string, line: string, names = '{ friends, friend }') =>
  `scenario('${title}', ${read}, async (${names}) => {\n  ${line}\n});\n`;

/** The text of such a spec, whose first line imports from `fixtures`. */
export function specText({ source }: MistakenSpec, fixtures: string): string {
  return `import { expect, scenario, unwritten } from ${JSON.stringify(fixtures)};\n${source}`;
}
