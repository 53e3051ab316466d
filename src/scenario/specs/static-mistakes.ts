import { type SpecLine, SpecMistake } from '../../verdict/index.ts';
import { namesTaken, tagProblems } from './tags.ts';

/** Packages that send or judge by themselves. A run refuses these; `npm run check` any package in the project's own specs. */
const RUNNERS = /^(@playwright\/|playwright|node:test$|vitest|jest|@jest\/|mocha)/;

const TIMERS = /^(node:)?timers(\/promises)?$/;

const repeating = [
  [/\bwhile\s*\(/g, 'while (…)'],
  [/\bfor\s*\(\s*;\s*;\s*\)/g, 'for (;;)'],
  [/\.toPass\s*\(/g, 'toPass(…)'],
] as const;

/** The imports of other test runners in a spec: such a file is not even loaded. */
export function foreignImports(file: string, text: string): SpecMistake[] {
  return importsIn(text).flatMap(({ module, index }) => {
    if (!RUNNERS.test(module)) return [];
    const problem = `${module} doesn't belong in a spec: what it sends passes neither ALLOWED_EFFECTS nor redaction`;
    const cure =
      "import what a spec needs from '../../fixtures/index.ts' (from 'sextant' where the package is installed)";
    return new SpecMistake(`${problem}; ${cure}`, { file, line: lineAt(text, index) });
  });
}

/** Fixed waits, and loops until something passes: by words alone. */
export function waitsAndRetries(file: string, text: string): SpecMistake[] {
  const code = blanked(text, true);
  const found: SpecMistake[] = [];
  const add = (index: number, problem: string) =>
    found.push(new SpecMistake(problem, { file, line: lineAt(text, index) }));
  const addWait = (index: number, call: string) =>
    add(
      index,
      `\`${call}\` waits for a fixed time, which is too long here and too short there; read with .eventually(…), which waits until the response is as expected`,
    );
  for (const { module, index } of importsIn(text)) if (TIMERS.test(module)) addWait(index, module);
  const calls = code.matchAll(/(?<!\bscenario\.)\b(setTimeout|setInterval|waitForTimeout)\s*\(/g);
  for (const { 1: call, index } of calls) addWait(index, `${call}(…)`);
  for (const [pattern, call] of repeating)
    for (const { index } of code.matchAll(pattern))
      add(
        index,
        `\`${call}\` tries again until it passes, which hides a flake; find the cause; for a list that lags, read with .eventually(…)`,
      );
  return found.sort((a, b) => (a.line?.line ?? 0) - (b.line?.line ?? 0));
}

/** What is wrong with a scenario as it is declared, before anything is played. */
export function declarationMistakes(
  title: string,
  tags: readonly string[],
  body: unknown,
  line: SpecLine | undefined,
): SpecMistake[] {
  const problems = tagProblems(title, tags);
  if (!namesTaken(body))
    problems.push(
      `the first parameter of "${title}" does not name what it takes; write a pattern without defaults or rest: async ({ friends, friend }) => …`,
    );
  return problems.map((problem) => new SpecMistake(problem, line));
}

/** Reports and histories are kept by title, so the second scenario of a title can't be played under it. */
export function sameTitle(title: string, other: string, line: SpecLine): SpecMistake {
  const problem = `"${title}" is the title of another scenario too, at ${other}`;
  return new SpecMistake(`${problem}; rename one of them: reports and histories are kept by title`, line);
}

/** What a file imports, each with its line. */
export function importsOf(text: string): { readonly module: string; readonly line: number }[] {
  return importsIn(text).map(({ module, index }) => ({ module, line: lineAt(text, index) }));
}

function importsIn(text: string): { readonly module: string; readonly index: number }[] {
  const withTexts = blanked(text, false);
  const found = withTexts.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"\n]+)['"]/g);
  return [...found].flatMap(({ 1: module = '', index }) => {
    const isType = /^\s*import type\b/.test(withTexts.slice(withTexts.lastIndexOf('import', index), index));
    return isType ? [] : [{ module, index }];
  });
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/** `text` with its comments as spaces, and with `texts` also what stands in quotes; every line stays where it is. */
function blanked(text: string, texts: boolean): string {
  const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
  return text.replace(token, (found) => (texts || found.startsWith('/') ? found.replace(/[^\n]/g, ' ') : found));
}
