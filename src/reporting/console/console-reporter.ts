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
import { counted } from '../../config/index.ts';
import { type Cause, causeLine, type Failure, followsLine } from '../../engine/run/index.ts';
import { outcomeOf } from '../outcome-of.ts';
import { resultOf, tagsOf } from '../result-of.ts';
import { causesOfOutcomes, summarise, type TestOutcome } from '../summary.ts';
import { colours, hasColours, isLive, LiveProgress } from './terminal.ts';

const { red } = colours();

/**
 * Each new cause when it is met, with one failure in full, and one line for each further failure; at the end the causes. On a
 * terminal below them a line with what is red, how far the run is, and how long it still takes; elsewhere a dot for each test.
 */
export default class ConsoleReporter implements Reporter {
  readonly #startedAt = performance.now();
  #suite: Suite | undefined;
  #line: LiveProgress | undefined;
  #dots = 0;
  readonly #met = new Set<string>();

  onBegin({ workers }: FullConfig, suite: Suite): void {
    this.#suite = suite;
    const total = suite.allTests().length;
    this.#print(`\nRunning ${counted(total, 'test')} using ${counted(workers, 'worker')}\n`);
    this.#line = new LiveProgress(process.stdout, total, this.#startedAt);
  }

  onTestBegin(test: TestCase): void {
    this.#line?.started(test, { title: test.title, area: tagsOf(test.title, test.tags).area });
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const { errors, retry } = result;
    if (test.outcome() === 'unexpected' && retry < test.retries) return;
    const outcome = outcomeOf(test);
    this.#line?.ended(test, { title: test.title, verdict: outcome.outcome });
    const causes = causesOfOutcomes([outcome]);
    if (causes.length === 0) {
      if (!isLive(process.stdout)) process.stdout.write(this.#dots++ % 80 === 0 ? '\n·' : '·');
      return;
    }
    const news = causes.filter(({ environment, sentence }) => !this.#met.has(`${environment} ${sentence}`));
    for (const { environment, sentence } of news) this.#met.add(`${environment} ${sentence}`);
    const place = red(`  ${outcome.outcome}  ${placeOf(test)}`);
    // A failure that was shown in full says no more the second time.
    if (news.length === 0) this.#print(`${place} · again: ${causes.map(({ sentence }) => sentence).join('; ')}`);
    else
      this.#print(
        [place, '', ...distinctErrors(errors, outcome, resultOf(test, result).failures).map(errorText)].join('\n'),
      );
  }

  onError(error: TestError): void {
    this.#print(`${red('Error')}\n${errorText(error)}`);
  }

  onStdOut(chunk: string | Buffer): void {
    this.#print(String(chunk).replace(/\n$/, ''));
  }

  onStdErr(chunk: string | Buffer): void {
    this.onStdOut(chunk);
  }

  onEnd({ duration }: FullResult): void {
    this.#line?.end();
    // Those that an interrupted run never came to have not ended.
    const all = (this.#suite?.allTests() ?? []).map(outcomeOf);
    const summary = summarise(all);
    const counts = (['failed', 'unknown', 'skipped', 'passed'] as const)
      .filter((outcome) => summary[outcome] > 0)
      .map((outcome) => `${summary[outcome]} ${outcome}`);
    process.stdout.write(
      `\n${causesText(causesOfOutcomes(all))}  ${counts.join(', ')} (${(duration / 1_000).toFixed(1)} s)\n`,
    );
  }

  printsToStdio(): boolean {
    return true;
  }

  #print(text: string): void {
    const start = this.#dots > 0 ? '\n' : '';
    this.#dots = 0;
    // Code frames have colours, whatever the output is.
    const shown = hasColours ? text : stripVTControlCharacters(text);
    if (this.#line) this.#line.print([`${start}${shown}`]);
    else process.stdout.write(`${start}${shown}\n`);
  }
}

/** All errors but those of clean-up that say again what was said. The report has them. */
function distinctErrors(
  errors: readonly TestError[],
  outcome: TestOutcome,
  failures: readonly Failure[] = [],
): readonly TestError[] {
  // Playwright may have errors of its own beside those of the test.
  if (errors.length !== failures.length) return errors;
  const said = new Set<string | undefined>();
  return errors.filter((_, index) => {
    const failure = failures[index] as Failure;
    const sentence = causesOfOutcomes([{ ...outcome, failures: [failure] }])[0]?.sentence;
    const isNews = !said.has(sentence) || failure.merely !== 'clean-up';
    said.add(sentence);
    return isNews;
  });
}

function placeOf(test: TestCase): string {
  const { file, line } = test.location;
  return `${test.parent.project()?.name ?? ''} › ${file.split(/[\\/]/).at(-1)}:${line} › ${test.title}`;
}

/** The causes of a run for a console, the gravest first; empty without any. */
function causesText(causes: readonly Cause[]): string {
  const isOne = new Set(causes.map(({ environment }) => environment)).size === 1;
  const lines = causes.flatMap((cause) => [
    red(`  ${isOne ? '' : `${cause.environment}: `}${causeLine(cause)}`),
    ...[cause.body, followsLine(cause)].flatMap((line) => (line ? [`    ${line}`] : [])),
  ]);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`;
}

/** Indented below the test that it belongs to. */
function errorText({ message, value, snippet, location }: TestError): string {
  const place = location ? [`at ${relative(process.cwd(), location.file)}:${location.line}`] : [];
  const text = [message ?? value ?? '', ...place, ...(snippet ? ['', snippet] : []), ''].join('\n');
  return text.replace(/^(?=.)/gm, '    ');
}
