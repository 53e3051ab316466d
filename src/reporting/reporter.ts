import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { FullResult, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter';
import pc from 'picocolors';
import { CATEGORY_LABEL, type Category, redact, type Verdict, verdictOfCategory, verdicts } from '../client/index.ts';
import { appendText, fileRoles, replaceText } from '../config/files/index.ts';
import { findingLines, findingsOf, loggedCalls, outputFiles, SEED_VARIABLE } from '../scenario/index.ts';
import { type JunitCase, junitXml } from './junit.ts';
import { latencySamples } from './latency.ts';
import { runFacts } from './run-facts.ts';
import { summarise, type TestOutcome } from './summary.ts';
import { summaryMarkdown, summaryText } from './summary-text.ts';
import { tagsOf } from './tags.ts';

/** Writes what Playwright's and Allure's reporters don't: the summary by area, latencies, and facts about the run. */
export default class RunReporter implements Reporter {
  #suite: Suite | undefined;
  #errors = 0;

  onBegin(_config: unknown, suite: Suite): void {
    this.#suite = suite;
  }

  onError(): void {
    this.#errors++;
  }

  async onEnd({ status, startTime }: FullResult): Promise<{ status: FullResult['status'] } | undefined> {
    const tests = this.#suite?.allTests() ?? [];
    if (tests.length === 0) {
      // Either the run itself failed, and its error says why, or no test matches the options.
      if (status === 'passed') process.send?.({ noTests: true });
      return undefined;
    }
    const outcomes = tests.map(outcomeOf);
    const summary = summarise(outcomes);
    const calls = loggedCalls();
    const seed = process.env[SEED_VARIABLE] ?? '';
    const environments = (this.#suite?.suites ?? []).map(({ title }) => title);
    const files = outputFiles();
    writeJson(join(files.allureResults, 'latency-perf.json'), latencySamples(calls));
    writeJson(files.run, runFacts(seed, environments, calls));
    writeJson(files.summary, summary);
    writeJson(files.outcomes, outcomes);
    replaceText(files.junit, redact(junitXml(outcomes.map(junitCase), startTime)), fileRoles.output);

    process.stdout.write(summaryText(summary, calls.length, pc.isColorSupported));
    const runId = process.env.SEXTANT_RUN ?? '';
    for (const environment of environments)
      for (const line of findingLines(environment, findingsOf(runId, environment))) process.stdout.write(`  ${line}\n`);
    const job = process.env.GITHUB_STEP_SUMMARY;
    if (job) appendText(job, redact(summaryMarkdown(summary, calls.length, seed)), { what: 'GITHUB_STEP_SUMMARY' });
    if (summary.failed > 0 || summary.unknown > 0) {
      process.stdout.write(
        `  Seed ${seed}. To use the same data again: sextant test --seed ${seed}, or ${SEED_VARIABLE}=${seed}\n`,
      );
    }
    if (summary.unknown > 0 && summary.failed === 0 && this.#errors === 0 && status === 'failed')
      process.send?.({ couldNotJudge: true });
    if (summary.passed > 0 || summary.failed > 0 || this.#errors > 0 || status !== 'passed') return undefined;
    process.stdout.write('  Every test was skipped, so this run proves nothing and counts as failed.\n');
    return { status: 'failed' };
  }

  printsToStdio(): boolean {
    return false;
  }
}

function outcomeOf(test: TestCase): TestOutcome {
  const { area } = tagsOf(test.title, test.tags);
  const seconds = test.results.reduce((sum, { duration }) => sum + duration, 0) / 1_000;
  const common = { environment: test.parent.project()?.name ?? '', title: test.title, area, seconds };
  const skipped = test.annotations.find(({ type }) => type === 'skip');
  const wasRun = test.results.some(({ status }) => status !== 'skipped');
  if (!wasRun) {
    const isUnproven = test.annotations.some(
      ({ type, description }) => type === CATEGORY_LABEL && description === 'unproven',
    );
    const reason = skipped?.description ?? 'the run ended before this test started';
    return { ...common, outcome: 'skipped', reason, ...(isUnproven ? { unproven: true } : {}) };
  }
  if (test.ok()) return { ...common, outcome: 'passed' };
  const shown = test.results.map(verdictsShownBy);
  const message = test.results.flatMap(({ errors }) => errors.map((error) => error.message ?? '')).join('\n\n');
  if (shown.every((all) => all.length > 0 && all.every((verdict) => verdict === 'unknown')))
    return { ...common, outcome: 'unknown', reason: headOf(message), message };
  const isJudged = shown.some((all) => all.some((verdict) => verdicts[verdict].fellShort === 'behaviour'));
  return { ...common, outcome: 'failed', isJudged, message };
}

/** The first line of an error without its name, and the claim below it. */
function headOf(message: string): string {
  const [first = '', second = ''] = stripVTControlCharacters(message).split('\n');
  const text = first.replace(/^(Error: )?(\w+: )?/, '');
  return second.startsWith('  ') ? `${text} ${second.trim()}` : text;
}

/** The verdicts on a failed test: from its categories, otherwise from a failed `expect` in its own lines. */
function verdictsShownBy({ annotations, steps }: TestResult): Verdict[] {
  const categories = annotations.filter(({ type }) => type === CATEGORY_LABEL);
  if (categories.length > 0) return categories.map(({ description }) => verdictOfCategory(description as Category));
  return steps.some(({ category, error }) => category === 'expect' && error) ? ['failed'] : [];
}

function junitCase({ environment, area, title, seconds, outcome, reason, message }: TestOutcome): JunitCase {
  const text = message?.trim();
  return {
    suite: environment,
    group: area,
    name: title,
    seconds,
    outcome,
    ...(reason ? { message: reason } : {}),
    ...(text ? { message: text.split('\n')[0] ?? '', details: text } : {}),
  };
}

function writeJson(file: string, value: unknown): void {
  replaceText(file, redact(`${JSON.stringify(value, null, 2)}\n`), fileRoles.output);
}
