import { type SpecLine, SpecMistake } from '../../verdict/index.ts';
import { namesTaken, tagProblems } from './tags.ts';

/** Packages that send or judge by themselves. A run refuses these; `npm run check` any package in the project's own specs. */
const RUNNERS = /^(@playwright\/|playwright|node:test$|vitest|jest|@jest\/|mocha)/;

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

/** Mistakes in the declaration of a scenario, before anything is played. */
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

/** The modules that a file imports, each with its line. */
export function importsOf(text: string): { readonly module: string; readonly line: number }[] {
  return importsIn(text).map(({ module, index }) => ({ module, line: lineAt(text, index) }));
}

function importsIn(text: string): { readonly module: string; readonly index: number }[] {
  const code = withoutComments(text);
  const found = code.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"\n]+)['"]/g);
  return [...found].flatMap(({ 1: module = '', index }) => {
    const isType = /^\s*import type\b/.test(code.slice(code.lastIndexOf('import', index), index));
    return isType ? [] : [{ module, index }];
  });
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/** `text` with its comments as spaces; every line stays where it is. */
function withoutComments(text: string): string {
  const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
  return text.replace(token, (found) => (found.startsWith('/') ? found.replace(/[^\n]/g, ' ') : found));
}
