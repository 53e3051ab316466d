import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type {
  FullConfig,
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from '@playwright/test/reporter';
import { counted, loadEnvironment } from '../environment/index.ts';
import { writeCommands } from '../redaction/index.ts';
import {
  AcceptedSoFar,
  causesOf,
  controlLog,
  countsText,
  isNotTried,
  outcomeOfVerdict,
  type TestOutcome,
  trafficOf,
  usedUpLines,
} from '../run/ending/index.ts';
import {
  askedFacts,
  askedLines,
  factLogs,
  itemLines,
  loggedCalls,
  SEED_VARIABLE,
  sameTitle,
} from '../scenario/index.ts';
import { lineText, type SpecMistake } from '../verdict/index.ts';
import { lateErrors, lostSpans } from './adapter/stray-errors.ts';
import { leftOut, otherReporters } from './from-command.ts';
import { annotationsOf } from './job-page.ts';
import { environmentOf, outcomeOfTest, tagsOf } from './result-of.ts';
import { runFacts } from './run-facts.ts';
import { consoleLines, isAboveCounts, isUnjudged, linesOf, runReport, summaryText, whyUnproven } from './summary.ts';
import { colours, hasColours, isLive, LiveProgress } from './terminal.ts';
import { writeRun } from './write-run.ts';

const { red } = colours();

/**
 * Prints a run while it lasts: each new cause with one failure in full, and one line for each further failure. On a terminal, the bottom
 * line shows red tests, progress and remaining time. On other outputs, each remaining test prints a dot. At the end, prints the causes and
 * the summary, and writes the files that Allure's reporter doesn't write. Next to another reporter, whose output may be a document, prints
 * only the end of the run, on standard error.
 */
export default class RunReporter implements Reporter {
  readonly #startedAt = performance.now();
  #suite: Suite | undefined;
  #line: LiveProgress | undefined;
  #dots = 0;
  #errors = 0;
  readonly #isAlone = otherReporters().length === 0;
  readonly #met = new Set<string>();
  readonly #accepted = new AcceptedSoFar();

  onBegin({ workers }: Pick<FullConfig, 'workers'>, suite: Suite): void {
    this.#suite = suite;
    const total = suite.allTests().length;
    this.#print(`\nRunning ${counted(total, 'test')} using ${counted(workers, 'worker')}\n`);
    if (this.#isAlone) this.#line = new LiveProgress(process.stdout, total, this.#startedAt);
  }

  onTestBegin(test: TestCase): void {
    const { title, tags } = test;
    this.#line?.started({ environment: environmentOf(test), title, area: tagsOf(title, tags).area });
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    if (test.outcome() === 'unexpected' && result.retry < test.retries) return;
    const outcome = outcomeOfTest(test);
    this.#line?.finished(outcome.environment, outcome);
    if (!this.#isAlone) return;
    const causes = causesOf([this.#accepted.withEarlier(outcome)]);
    // A test that was not tried has the cause of earlier failures, which were printed already.
    if (causes.length === 0 || isNotTried(outcome)) {
      if (!isLive(process.stdout)) process.stdout.write(this.#dots++ % 80 === 0 ? '\n·' : '·');
      return;
    }
    const news = causes.filter(({ environment, sentence }) => !this.#met.has(`${environment} ${sentence}`));
    for (const { environment, sentence } of news) this.#met.add(`${environment} ${sentence}`);
    const place = red(`  ${outcomeOfVerdict(outcome.verdict)}  ${placeOf(test)}`);
    // If the cause was shown in full before, one line is enough.
    if (news.length === 0) this.#print(`${place} · again: ${causes.map(({ sentence }) => sentence).join('; ')}`);
    else this.#print([place, '', ...distinctErrors(outcome, result.errors, causes.length).map(errorText)].join('\n'));
  }

  onError(error: TestError): void {
    this.#errors++;
    this.#print(`${red('Error')}\n${errorText(error)}`);
  }

  onStdOut(chunk: string | Buffer): void {
    this.#print(String(chunk).replace(/\n$/, ''));
  }

  /** Playwright passes the output of specs to this method, too. */
  onStdErr(chunk: string | Buffer): void {
    if (!this.#isAlone || !isLive(process.stdout)) process.stderr.write(chunk);
    else this.onStdOut(chunk);
  }

  async onEnd({ status, startTime, duration }: FullResult): Promise<{ status: FullResult['status'] } | undefined> {
    this.#line?.end();
    const tests = this.#suite?.allTests() ?? [];
    // If a run without tests has passed, its options match no test. If it has failed, it has printed an error with the reason.
    const notLoaded = leftOut();
    const isEmpty = tests.length + notLoaded.length === 0;
    if (isEmpty && status === 'passed') process.send?.({ noTests: true });
    if (isEmpty || (tests.length === 0 && status !== 'passed')) return undefined;
    // After an interruption, `tests` also contains tests that never began.
    const run = runReport([...notLoaded, ...tests.map(outcomeOfTest)]);
    const { summary } = run;
    const namesakes = namesakesIn(tests).map(({ message }) => message);
    const late = [...new Set(lateErrors().all())];
    const unproven = whyUnproven(run.outcomes);
    const hasFailed = summary.failed > 0 || this.#errors > 0;
    const couldNotJudge = summary.unknown > 0 || namesakes.length + late.length > 0 || isUnjudged(summary);
    // For Playwright, a test that was not tried is a skipped test, so Playwright may report success. The suite counts such a test as red.
    const end = status === 'passed' && (hasFailed || couldNotJudge || unproven) ? 'failed' : status;
    // Names repeat if a team has specs next to the package, because each environment then has a second Playwright project of the same name.
    const environments = [...new Set((this.#suite?.suites ?? []).map(({ title }) => title))];
    const calls = loggedCalls();
    const facts = runFacts({ status: end, startTime }, environments, calls);
    writeRun(facts, run, calls);

    const to = this.#isAlone ? process.stdout : process.stderr;
    const say = (line: string) => to.write(`  ${line}\n`);
    const lines = linesOf(run);
    const [above, below] = [lines.filter(isAboveCounts), lines.filter((line) => !isAboveCounts(line))];
    to.write('\n');
    for (const line of consoleLines(above)) say(line);
    if (above.length > 0) to.write('\n');
    say(
      `${countsText(run.outcomes, above.filter(({ kind }) => kind === 'warning').length)} (${(duration / 1_000).toFixed(1)} s)`,
    );
    if (process.env.GITHUB_ACTIONS) writeCommands(annotationsOf(run), to);
    to.write(summaryText(summary, below, trafficOf(calls)));
    if (status === 'interrupted') say('The run was interrupted.');
    const runId = process.env.SEXTANT_RUN ?? '';
    for (const environment of environments) {
      const [rate] = factLogs(runId, environment).rate.all();
      askedLines(environment, askedFacts(runId, environment), rate).forEach(say);
      usedUpLines(environment, controlLog(runId, environment).all()).forEach(say);
      itemLines(loadEnvironment(environment), runId).forEach(say);
    }
    const [lost] = lostSpans().all();
    if (lost) say(colours().yellow(`warning: ${lost}`));
    const { seed } = facts.run;
    if (summary.failed > 0 || summary.unknown > 0)
      say(`Seed ${seed}. To use the same data again: sextant test --seed ${seed}, or ${SEED_VARIABLE}=${seed}`);
    for (const message of namesakes) say(message);
    for (const message of late) say(`${message}. It came when its test had ended, so the run could not be judged.`);
    if (!hasFailed && couldNotJudge) process.send?.({ couldNotJudge: true });
    if (unproven && status === 'passed') say(unproven);
    return end === status ? undefined : { status: end };
  }

  #print(text: string): void {
    if (!this.#isAlone) return;
    const start = this.#dots > 0 ? '\n' : '';
    this.#dots = 0;
    // Playwright colours its code frames even if the output can't show colours.
    const shown = hasColours ? text : stripVTControlCharacters(text);
    if (this.#line) this.#line.print([`${start}${shown}`]);
    else process.stdout.write(`${start}${shown}\n`);
  }
}

/**
 * The errors of a test that are worth printing: only the first, if all errors have one cause and the later ones come from clean-up;
 * otherwise all. Allure's report always has all errors.
 */
function distinctErrors(
  { failures = [], messages: [message = ''] = [] }: TestOutcome,
  errors: readonly TestError[],
  causes: number,
): readonly TestError[] {
  // For a test that was not tried, Playwright has the status "skipped" and no error.
  if (errors.length === 0) return [{ message }];
  // If Playwright added its own errors, errors and failures don't correspond one to one.
  const isOneByOne = errors.length === failures.length;
  const isRepeated = causes === 1 && failures.slice(1).every(({ merely }) => merely === 'clean-up');
  return isOneByOne && isRepeated ? errors.slice(0, 1) : errors;
}

function placeOf(test: TestCase): string {
  const { file, line } = test.location;
  return `${environmentOf(test)} › ${file.split(/[\\/]/).at(-1)}:${line} › ${test.title}`;
}

/** The text of an error, indented below its test. */
function errorText({ message, value, snippet, location }: TestError): string {
  const place = location ? [`at ${relative(process.cwd(), location.file)}:${location.line}`] : [];
  const text = [message ?? value ?? '', ...place, ...(snippet ? ['', snippet] : []), ''].join('\n');
  return text.replace(/^(?=.)/gm, '    ');
}

/** A mistake for each test with the title of an earlier test in another file, because reports and histories can't distinguish the two. */
function namesakesIn(tests: readonly TestCase[]): SpecMistake[] {
  const titleOf = (test: TestCase) => test.titlePath().slice(3).join(' › ');
  const alike = Map.groupBy(tests, (test) => `${environmentOf(test)} ${titleOf(test)}`).values();
  const found = [...alike].flatMap(([first, ...others]) =>
    others
      .filter(({ location }) => location.file !== first?.location.file)
      .map((test) => sameTitle(titleOf(test), lineText((first as TestCase).location), test.location)),
  );
  return [...new Map(found.map((mistake) => [mistake.message, mistake])).values()];
}
