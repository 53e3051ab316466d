import type {
  FullConfig,
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from '@playwright/test/reporter';
import pc from 'picocolors';
import { counted } from '../config/index.ts';
import { LiveLine } from './live-line.ts';
import { outcomeOf } from './outcome-of.ts';
import { progressText } from './progress-text.ts';
import type { TestOutcome } from './summary.ts';
import { tagsOf } from './tags.ts';

/** On a terminal: each failure when it happens, above a line with what is red, how far the run is, and how long it still takes. */
export default class TerminalReporter implements Reporter {
  readonly #underWay = new Map<TestCase, { title: string; area: TestOutcome['area'] }>();
  readonly #ended: { title: string; verdict: TestOutcome['outcome'] }[] = [];
  readonly #started = performance.now();
  #startMs = 0;
  #suite: Suite | undefined;
  #total = 0;
  #line: LiveLine | undefined;

  onBegin({ workers }: FullConfig, suite: Suite): void {
    this.#suite = suite;
    this.#total = suite.allTests().length;
    this.#print(`\nRunning ${counted(this.#total, 'test')} using ${counted(workers, 'worker')}\n`);
    this.#line = new LiveLine(process.stdout, () =>
      progressText({
        total: this.#total,
        elapsedMs: performance.now() - this.#started,
        startMs: this.#startMs,
        ended: this.#ended,
        underWay: [...this.#underWay.values()],
      }),
    );
  }

  onTestBegin(test: TestCase): void {
    this.#startMs ||= performance.now() - this.#started;
    this.#underWay.set(test, { title: test.title, area: tagsOf(test.title, test.tags).area });
  }

  onTestEnd(test: TestCase, { errors, retry }: TestResult): void {
    this.#underWay.delete(test);
    if (test.outcome() === 'unexpected' && retry < test.retries) return;
    const { outcome } = outcomeOf(test);
    this.#ended.push({ title: test.title, verdict: outcome });
    if (outcome === 'failed' || outcome === 'unknown') this.#print(failureText(test, outcome, errors));
  }

  onError(error: TestError): void {
    this.#print(`${pc.red('Error')}\n${errorText(error)}`);
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
    const count = (wanted: TestOutcome['outcome']) => all.filter(({ outcome }) => outcome === wanted).length;
    const counts = (['failed', 'unknown', 'skipped', 'passed'] as const)
      .map((outcome) => ({ outcome, n: count(outcome) }))
      .filter(({ n }) => n > 0)
      .map(({ outcome, n }) => `${n} ${outcome}`);
    process.stdout.write(`  ${counts.join(', ')} (${(duration / 1_000).toFixed(1)} s)\n`);
  }

  printsToStdio(): boolean {
    return true;
  }

  #print(text: string): void {
    if (this.#line) this.#line.print([text]);
    else process.stdout.write(`${text}\n`);
  }
}

function failureText(test: TestCase, outcome: string, errors: readonly TestError[]): string {
  const { file, line } = test.location;
  const place = `${test.parent.project()?.name ?? ''} › ${file.split(/[\\/]/).at(-1)}:${line} › ${test.title}`;
  return [pc.red(`  ${outcome}  ${place}`), '', ...errors.map(errorText)].join('\n');
}

/** Indented below the test that it belongs to. */
function errorText({ message, value, snippet }: TestError): string {
  const text = [message ?? value ?? '', ...(snippet ? ['', snippet] : []), ''].join('\n');
  return text.replace(/^(?=.)/gm, '    ');
}
