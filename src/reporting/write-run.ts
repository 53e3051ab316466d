import { join } from 'node:path';
import { redact } from '../client/index.ts';
import { fileRoles, remove, replaceText } from '../config/files/index.ts';
import { type LoggedCall, outputFiles } from '../scenario/index.ts';
import { addToJobPage } from './add-to-job-page.ts';
import { failuresMarkdown } from './job-page.ts';
import { type JunitCase, junitXml } from './junit.ts';
import { latencySamples } from './latency.ts';
import type { RunFacts } from './run-facts.ts';
import type { RunIdentity } from './run-identity.ts';
import { type Summary, summarise, type TestOutcome } from './summary.ts';
import { summaryMarkdown } from './summary-text.ts';

/** A run that has ended, in one process or as shards. */
export interface EndedRun {
  readonly facts: RunFacts & { readonly run: RunIdentity };
  readonly outcomes: readonly TestOutcome[];
  readonly calls: readonly LoggedCall[];
}

/** Writes what Playwright's and Allure's reporters don't: the summary, JUnit, latencies, facts, and the page of a GitHub job. */
export function writeRun({ facts, outcomes, calls }: EndedRun): Summary {
  const summary = summarise(outcomes);
  const files = outputFiles();
  writeJson(join(files.allureResults, 'latency-perf.json'), latencySamples(calls));
  writeJson(files.run, facts);
  writeJson(files.summary, summary);
  writeJson(files.outcomes, outcomes);
  const { seed, startedAt, status } = facts.run;
  replaceText(files.junit, redact(junitXml(outcomes.map(junitCase), new Date(startedAt))), fileRoles.output);
  remove(files.page, fileRoles.page);
  const failures = outcomes
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ environment, title, message: text = '' }) => ({ environment, title, text }));
  const ending = status === 'interrupted' ? '\nThe run was interrupted.\n' : '';
  addToJobPage(`${summaryMarkdown(summary, calls.length, seed)}${ending}${failuresMarkdown(failures)}`, files.page);
  return summary;
}

function junitCase({ environment, area, title, seconds, outcome, reason, message, flaky }: TestOutcome): JunitCase {
  const text = message?.trim();
  return {
    suite: environment,
    group: area,
    name: title,
    seconds,
    outcome,
    ...(reason ? { message: reason } : {}),
    ...(flaky ? { output: `flaky: passed at attempt ${flaky.attempts}; before: ${flaky.reason}` } : {}),
    ...(text ? { message: text.split('\n')[0] ?? '', details: text } : {}),
  };
}

function writeJson(file: string, value: unknown): void {
  replaceText(file, redact(`${JSON.stringify(value, null, 2)}\n`), fileRoles.output);
}
