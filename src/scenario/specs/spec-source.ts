import { SpecMistake } from '../../client/index.ts';

/** Packages that send or judge by themselves. A run refuses these; `npm run check` any package in the project's own specs. */
const RUNNERS = /^(@playwright\/|playwright|node:test$|vitest|jest|@jest\/|mocha)/;

const TIMERS = /^(node:)?timers(\/promises)?$/;

const repeating = [
  [/\bwhile\s*\(/g, 'while (…)'],
  [/\bfor\s*\(\s*;\s*;\s*\)/g, 'for (;;)'],
  [/\.toPass\s*\(/g, 'toPass(…)'],
] as const;

/** Another test runner, a fixed wait, a loop until something passes: by words alone, before the spec is loaded. */
export function mistakesIn(file: string, text: string): SpecMistake[] {
  const found: SpecMistake[] = [];
  const at = (index: number) => ({ file, line: text.slice(0, index).split('\n').length });
  const withTexts = blanked(text, false);
  for (const { 1: module = '', index } of withTexts.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"\n]+)['"]/g)) {
    if (/^\s*import type\b/.test(withTexts.slice(withTexts.lastIndexOf('import', index), index))) continue;
    if (RUNNERS.test(module)) found.push(SpecMistake.of('foreign import', { module }, at(index)));
    if (TIMERS.test(module)) found.push(SpecMistake.of('sleep', { call: module }, at(index)));
  }
  const code = blanked(text, true);
  for (const { 1: call = '', index } of code.matchAll(
    /(?<!\bscenario\.)\b(setTimeout|setInterval|waitForTimeout)\s*\(/g,
  ))
    found.push(SpecMistake.of('sleep', { call: `${call}(…)` }, at(index)));
  for (const [pattern, call] of repeating)
    for (const { index } of code.matchAll(pattern)) found.push(SpecMistake.of('retry', { call }, at(index)));
  return found.sort((a, b) => (a.line?.line ?? 0) - (b.line?.line ?? 0));
}

/** `text` with its comments as spaces, and with `texts` also what stands in quotes; every line stays where it is. */
function blanked(text: string, texts: boolean): string {
  const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
  return text.replace(token, (found) => (texts || found.startsWith('/') ? found.replace(/[^\n]/g, ' ') : found));
}
