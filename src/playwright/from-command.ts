import { resolve } from 'node:path';
import { workFolder } from '../environment/project-root.ts';
import { parsedJson } from '../http/index.ts';
import type { TestOutcome } from '../run/ending/index.ts';

/** Variable in which `sextant test` passes the outcomes of files that don't load to its reporters and Playwright's configuration. */
export const LEFT_OUT_VARIABLE = 'SEXTANT_LEFT_OUT';

/** The outcomes of the spec files that don't load, which Playwright would start nothing for. */
export function leftOut(): readonly TestOutcome[] {
  return (parsedJson(process.env[LEFT_OUT_VARIABLE] ?? '[]') ?? []) as TestOutcome[];
}

/** The reporters that the command line names: Playwright would have them instead of the suite's. */
export const OTHER_REPORTERS_VARIABLE = 'SEXTANT_REPORTERS';

/** Variable in which the first reporter promises its workers to judge expected failures again. */
export const KEPT_WORKERS_VARIABLE = 'SEXTANT_KEPT_WORKERS';

/** As Playwright's configuration names them: its own by a word, others by their file. */
export function otherReporters(): readonly string[] {
  return process.env[OTHER_REPORTERS_VARIABLE]?.split(',').filter(Boolean) ?? [];
}

export function leftOutFiles(): string[] {
  return [...new Set(leftOut().flatMap(({ file }) => (file ? [resolve(workFolder, file)] : [])))];
}
