import { type SpecLine, SpecMistake } from '../../verdict/index.ts';
import { namesTaken, tagProblems } from './tags.ts';

/**
 * Test runners. They send requests and judge responses without the suite, so a run refuses specs that import them. In the project's own
 * specs, `npm run check` refuses every package.
 */
const RUNNERS = /^(@playwright\/|playwright|node:test$|vitest|jest|@jest\/|mocha)/;

/** The mistakes of a spec that imports other test runners. If it has one, the spec isn't even loaded. */
export function foreignImports(file: string, text: string): SpecMistake[] {
  return importsIn(text).flatMap(({ module, index }) => {
    if (!RUNNERS.test(module)) return [];
    const problem = `${module} doesn't belong in a spec: what it sends passes neither ALLOWED_EFFECTS nor redaction`;
    const cure =
      "import what a spec needs from '../../fixtures/index.ts' (from 'sextant' where the package is installed)";
    return new SpecMistake(`${problem}; ${cure}`, { file, line: lineAt(text, index) });
  });
}

/** Mistakes in the declaration of a scenario, found before the scenario is played. */
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

/** The mistake of a second scenario with the same title. It can't be played, because reports and histories are kept by title. */
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

/** `text` with spaces in place of its comments, so that every line keeps its number. */
function withoutComments(text: string): string {
  const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
  return text.replace(token, (found) => (found.startsWith('/') ? found.replace(/[^\n]/g, ' ') : found));
}
