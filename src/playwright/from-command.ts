import { resolve } from 'node:path';
import { workFolder } from '../environment/project-root.ts';
import { parsedJson } from '../http/index.ts';
import type { TestOutcome } from '../run/ending/index.ts';

/** Variable in which `sextant test` passes the outcomes of files that don't load to its reporters and Playwright's configuration. */
export const LEFT_OUT_VARIABLE = 'SEXTANT_LEFT_OUT';

/** The outcomes of the spec files that don't load. The command keeps such files from Playwright, because Playwright would start no test with them. */
export function leftOut(): readonly TestOutcome[] {
  return (parsedJson(process.env[LEFT_OUT_VARIABLE] ?? '[]') ?? []) as TestOutcome[];
}

/** Variable with the reporters that the command line names. Given to Playwright as an option, these would replace the suite's reporters. */
export const OTHER_REPORTERS_VARIABLE = 'SEXTANT_REPORTERS';

/** Variable with which the first reporter lets workers mark a failure as expected. The reporter makes such a failure unexpected again. */
export const KEPT_WORKERS_VARIABLE = 'SEXTANT_KEPT_WORKERS';

/** The other reporters, named as in Playwright's configuration: Playwright's own by a word, the rest by their file. */
export function otherReporters(): readonly string[] {
  return process.env[OTHER_REPORTERS_VARIABLE]?.split(',').filter(Boolean) ?? [];
}

export function leftOutFiles(): string[] {
  return [...new Set(leftOut().flatMap(({ file }) => (file ? [resolve(workFolder, file)] : [])))];
}
