import { relative } from 'node:path';
import type { FullConfig, FullResult, Reporter, Suite, TestCase } from '@playwright/test/reporter';
import { isSpecFile, lineText, redact, type SpecMistake } from '../client/index.ts';
import { workFolder } from '../config/project-root.ts';
import type { Cause } from '../engine/run/index.ts';
import {
  askedFacts,
  askedLines,
  controlLog,
  loggedCalls,
  rateLog,
  SEED_VARIABLE,
  sameTitle,
  usedUpLines,
} from '../scenario/index.ts';
import { summaryText } from './console/summary-text.ts';
import { causeAnnotation } from './job-page.ts';
import { outcomeOf } from './outcome-of.ts';
import { identityOf, runFacts, TESTED_VARIABLE } from './run-facts.ts';
import { causesOfOutcomes, whyUnproven } from './summary.ts';
import { writeRun } from './write-run.ts';

/** Writes what Playwright's and Allure's reporters don't: the summary by area, latencies, and facts about the run. */
export default class RunReporter implements Reporter {
  #suite: Suite | undefined;
  #shard: FullConfig['shard'] = null;
  #errors = 0;

  onBegin({ shard }: Pick<FullConfig, 'shard'>, suite: Suite): void {
    this.#shard = shard;
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
      // A shard without tests is a part of the run like any other.
      if (status !== 'passed' || !this.#shard) return undefined;
    }
    const namesakes = namesakesIn(tests);
    const outcomes = tests.map(outcomeOf);
    const calls = loggedCalls();
    // All shards together are judged by their merge.
    const unproven = this.#shard ? undefined : whyUnproven(outcomes);
    const end = namesakes.length > 0 || unproven ? 'failed' : status;
    const run = identityOf({
      status: status === 'passed' ? end : status,
      startTime,
      errors: this.#errors,
      shard: this.#shard,
    });
    // A team's specs beside the package are another project of the same environment.
    const projects = new Set((this.#suite?.suites ?? []).map(({ title }) => title));
    const environments = process.env[TESTED_VARIABLE]?.split(',') ?? [...projects];
    const summary = writeRun({ facts: runFacts(run, environments, calls), outcomes, calls });
    const { seed } = run;
    if (process.env.GITHUB_ACTIONS)
      for (const cause of causesOfOutcomes(outcomes)) process.stdout.write(`${redact(annotationOf(cause, tests))}\n`);

    const say = (line: string) => process.stdout.write(`  ${line}\n`);
    process.stdout.write(summaryText(summary, calls.length));
    if (status === 'interrupted') say('The run was interrupted.');
    const runId = process.env.SEXTANT_RUN ?? '';
    for (const environment of environments) {
      const [rate] = rateLog(runId, environment).all();
      askedLines(environment, askedFacts(runId, environment), rate).forEach(say);
      usedUpLines(environment, controlLog(runId, environment).all()).forEach(say);
    }
    if (summary.failed > 0 || summary.unknown > 0)
      say(`Seed ${seed}. To use the same data again: sextant test --seed ${seed}, or ${SEED_VARIABLE}=${seed}`);
    for (const { message } of namesakes) say(message);
    const hasFailed = summary.failed > 0 || this.#errors > 0;
    const isUnjudged = status === 'failed' && summary.unknown > 0;
    if (!hasFailed && (isUnjudged || namesakes.length > 0)) process.send?.({ couldNotJudge: true });
    if (namesakes.length > 0) return { status: 'failed' };
    // What was not tried is skipped for Playwright, and red all the same.
    if (summary.failed > 0 && status === 'passed') return { status: 'failed' };
    if (hasFailed || status !== 'passed') return undefined;
    if (this.#shard && summary.passed === 0)
      say('No test of this shard ran. `sextant report --merge` judges all shards together.');
    if (!unproven) return undefined;
    say(unproven);
    return { status: 'failed' };
  }

  printsToStdio(): boolean {
    return false;
  }
}

/** At the spec's line: of the expectation that broke, or of the test. */
function annotationOf(cause: Cause, tests: readonly TestCase[]): string {
  const { environment, title } = cause.example;
  const found = tests.find((test) => test.title === title && test.parent.project()?.name === environment) as TestCase;
  const errors = found.results.flatMap((result) => result.errors);
  const { file, line } =
    errors.find(({ location }) => location && isSpecFile(location.file))?.location ?? found.location;
  return causeAnnotation(cause, { file: relative(workFolder, file), line }, errors[0]?.message ?? '');
}

/** A mistake for each test with the title of an earlier one in another file: reports and histories take them for one. */
function namesakesIn(tests: readonly TestCase[]): SpecMistake[] {
  const first = new Map<string, TestCase>();
  const found = new Map<string, SpecMistake>();
  for (const test of tests) {
    const [, environment, , ...titles] = test.titlePath();
    const title = titles.join(' › ');
    const key = `${environment} ${title}`;
    const earlier = first.get(key);
    if (!earlier) first.set(key, test);
    else if (earlier.location.file !== test.location.file) {
      const other = lineText(earlier.location);
      found.set(lineText(test.location), sameTitle(title, other, test.location));
    }
  }
  return [...found.values()];
}
