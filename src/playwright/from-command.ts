import { resolve } from 'node:path';
import { workFolder } from '../environment/project-root.ts';
import { parsedJson } from '../http/index.ts';
import type { TestOutcome } from '../run/ending/index.ts';

/**
 * Environment variable in which `sextant test` passes the outcomes of spec files that don't load to its reporters and to Playwright's
 * configuration.
 */
export const LEFT_OUT_VARIABLE = 'SEXTANT_LEFT_OUT';

/**
 * The outcomes of spec files that don't load. `sextant test` hides such files from Playwright, because with them Playwright would start no
 * test at all.
 */
export function leftOut(): readonly TestOutcome[] {
  return (parsedJson(process.env[LEFT_OUT_VARIABLE] ?? '[]') ?? []) as TestOutcome[];
}

/**
 * Environment variable with the reporters of `sextant test --reporter`. If Playwright got that option, it would drop the suite's own
 * reporters.
 */
export const OTHER_REPORTERS_VARIABLE = 'SEXTANT_REPORTERS';

/**
 * Environment variable that allows workers to mark a failure as expected. The first reporter sets it, and removes such a mark from each
 * test's result.
 */
export const KEPT_WORKERS_VARIABLE = 'SEXTANT_KEPT_WORKERS';

/**
 * The reporters besides the suite's own, as Playwright's configuration names them: a word such as `list` for a reporter of Playwright, a
 * path for a reporter from elsewhere.
 */
export function otherReporters(): readonly string[] {
  return process.env[OTHER_REPORTERS_VARIABLE]?.split(',').filter(Boolean) ?? [];
}

export function leftOutFiles(): string[] {
  return [...new Set(leftOut().flatMap(({ file }) => (file ? [resolve(workFolder, file)] : [])))];
}
