import { join } from 'node:path';
import { redact } from '../client/index.ts';
import { fileRoles, remove, replaceText } from '../config/files/index.ts';
import type { Cause } from '../engine/run/index.ts';
import { type LoggedCall, outputFiles } from '../scenario/index.ts';
import { latencySamples } from './allure/latency.ts';
import { requestsText, summaryMarkdown } from './console/summary-text.ts';
import { addToJobPage, causesMarkdown, runMarkdown } from './job-page.ts';
import { junitXml } from './junit.ts';
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
  replaceText(files.junit, redact(junitXml(outcomes, new Date(startedAt))), fileRoles.output);
  remove(files.page, fileRoles.written);
  const ending = status === 'interrupted' ? '\nThe run was interrupted.\n' : '';
  const run = { ...facts.run, environments: Object.keys(facts.environments) };
  addToJobPage(`${runPage('Sextant', run, outcomes, calls.length)}${ending}`, files.page);
  return summary;
}

/** The page of a run, in Markdown: what it was, what it failed for, and a table by area. */
export function runPage(
  title: string,
  run: Parameters<typeof runMarkdown>[0] & { readonly status?: RunIdentity['status'] },
  outcomes: readonly TestOutcome[],
  requests: number,
): string {
  return summaryMarkdown(summarise(outcomes), {
    title,
    status: run.status,
    facts: `${runMarkdown(run, process.env)} · ${requestsText(requests)}`,
    causes: causesMarkdown(causesOfOutcomes(outcomes), (example) => messageOf(outcomes, example)),
  });
}

/** The first error of a test: those that follow repeat it, or came of its clean-up. */
export function messageOf(outcomes: readonly TestOutcome[], { environment, title }: Cause['example']): string {
  const found = outcomes.find((each) => each.environment === environment && each.title === title);
  return found?.messages?.[0] ?? '';
}

function writeJson(file: string, value: unknown): void {
  replaceText(file, redact(`${JSON.stringify(value, null, 2)}\n`), fileRoles.output);
}
