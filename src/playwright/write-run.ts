import { fileRoles, remove, replaceText } from '../environment/files/index.ts';
import { redact } from '../redaction/index.ts';
import { trafficOf } from '../run/ending/index.ts';
import { type LoggedCall, outputFiles } from '../scenario/index.ts';
import { addToJobPage, runPage } from './job-page.ts';
import { junitXml } from './junit.ts';
import type { RunFacts, RunIdentity } from './run-facts.ts';
import type { RunReport } from './summary.ts';

/** Writes the files that Playwright's and Allure's reporters don't: the summary, JUnit, facts, and the page of a GitHub job. */
export function writeRun(
  facts: RunFacts & { readonly run: RunIdentity },
  report: RunReport,
  calls: readonly LoggedCall[],
): void {
  const files = outputFiles();
  writeJson(files.run, facts);
  writeJson(files.summary, report.summary);
  writeJson(files.outcomes, report.outcomes);
  const { startedAt, status } = facts.run;
  replaceText(files.junit, redact(junitXml(report, new Date(startedAt))), fileRoles.output);
  remove(files.page, fileRoles.written);
  const run = { ...facts.run, environments: Object.keys(facts.environments) };
  const ending = status === 'interrupted' ? '\nThe run was interrupted.\n' : '';
  addToJobPage(`${runPage('Sextant', run, report, trafficOf(calls))}${ending}`, files.page);
}

function writeJson(file: string, value: unknown): void {
  replaceText(file, redact(`${JSON.stringify(value, null, 2)}\n`), fileRoles.output);
}
