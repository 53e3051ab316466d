import { join } from 'node:path';
import { redact } from '../client/index.ts';
import { fileRoles, remove, replaceText } from '../config/files/index.ts';
import { type Cause, type LoggedCall, outputFiles } from '../scenario/index.ts';
import { latencySamples } from './allure/latency.ts';
import { requestsText, summaryMarkdown } from './console/summary-text.ts';
import { addToJobPage, causesMarkdown, runMarkdown } from './job-page.ts';
import { type JunitCase, junitXml } from './junit.ts';
import type { RunFacts, RunIdentity } from './run-facts.ts';
import { causesOfOutcomes, type Summary, summarise, type TestOutcome } from './summary.ts';

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
  const { startedAt, status } = facts.run;
  const causes = causesOfOutcomes(outcomes);
  const cases = outcomes.map((outcome) => junitCase(outcome, causes));
  replaceText(files.junit, redact(junitXml(cases, new Date(startedAt))), fileRoles.output);
  remove(files.page, fileRoles.page);
  const ending = status === 'interrupted' ? '\nThe run was interrupted.\n' : '';
  const page = summaryMarkdown(summary, {
    title: 'Sextant',
    facts: `${runMarkdown({ ...facts.run, environments: Object.keys(facts.environments) }, process.env)} · ${requestsText(calls.length)}`,
    causes: causesMarkdown(causes, ({ environment, title }) => messageOf(outcomes, environment, title)),
  });
  addToJobPage(`${page}${ending}`, files.page);
  return summary;
}

/** A test's first error: those that follow repeat it, or came of its clean-up. */
function messageOf(outcomes: readonly TestOutcome[], environment: string, title: string): string {
  const found = outcomes.find((each) => each.environment === environment && each.title === title);
  return (found?.message ?? '').split(/\n\n(?=\w+: )/)[0] ?? '';
}

function junitCase(outcome: TestOutcome, causes: readonly Cause[]): JunitCase {
  const { environment, area, title, seconds, reason, message, flaky } = outcome;
  const text = message?.trim();
  return {
    suite: environment,
    group: area,
    name: title,
    seconds,
    outcome: outcome.outcome,
    causes: causes
      .filter((cause) => cause.environment === environment && cause.tests.includes(title))
      .map(({ sentence }) => sentence),
    ...(reason ? { message: reason } : {}),
    ...(flaky ? { output: `flaky: passed at attempt ${flaky.attempts}; before: ${flaky.reason}` } : {}),
    ...(text ? { message: text.split('\n')[0] ?? '', details: text } : {}),
  };
}

function writeJson(file: string, value: unknown): void {
  replaceText(file, redact(`${JSON.stringify(value, null, 2)}\n`), fileRoles.output);
}
