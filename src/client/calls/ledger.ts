import { mistakeText } from '../mistakes/spec-mistake.ts';
import { SuiteError } from '../verdict/category.ts';
import { lineText, type SpecLine, specLineOf } from '../verdict/spec-line.ts';

/** The entry of one call. */
export interface LedgerEntry {
  /** The call got an expectation. */
  judged(): void;
  /** The call was replaced by another one, which is judged instead. */
  superseded(): void;
  /** Records a pending judgement, to detect a missing `await`. */
  track<T>(judgement: Promise<T>): Promise<T>;
}

/** A call without an expectation, or with one that was not awaited, proves nothing: its test must not pass. */
export class UnjudgedCall extends SuiteError {
  override readonly name = 'UnjudgedCall';
  readonly category = 'unjudged';
}

/** Records the calls of one scenario. */
export class Ledger {
  readonly #open = new Map<object, { operation: string; site: { stack?: string }; underWay: boolean }>();
  readonly #declaredAt: SpecLine | undefined;

  /** `declaredAt` is the scenario's line, for calls that no line of its own shows. */
  constructor(declaredAt?: SpecLine) {
    this.#declaredAt = declaredAt;
  }

  enter(operation: string, constructed: (...args: never[]) => unknown): LedgerEntry {
    const entry = {};
    const site: { stack?: string } = {};
    Error.captureStackTrace(site, constructed);
    const record = { operation, site, underWay: false };
    this.#open.set(entry, record);
    return {
      judged: () => void this.#open.delete(entry),
      superseded: () => void this.#open.delete(entry),
      track: (judgement) => {
        record.underWay = true;
        this.#open.set(entry, record);
        const done = () => void this.#open.delete(entry);
        judgement.then(done, done);
        return judgement;
      },
    };
  }

  /** @throws UnjudgedCall with each unjudged call and its line. */
  verify(): void {
    if (this.#open.size === 0) return;
    const records = [...this.#open.values()];
    this.#open.clear();
    const lines = records.map(({ operation, underWay, site }) => {
      const text = mistakeText(underWay ? 'not awaited' : 'no expectation', { operation });
      const line = specLineOf(site.stack) ?? this.#declaredAt;
      return line ? `${lineText(line)}: ${text}` : text;
    });
    const [only = ''] = lines;
    const error = new UnjudgedCall(
      lines.length === 1
        ? only
        : `${lines.length} calls prove nothing:\n${lines.map((line) => `  ${line}`).join('\n')}`,
    );
    const [first] = records;
    if (first?.site.stack)
      error.stack = `${error.name}: ${error.message}\n${first.site.stack.split('\n').slice(1).join('\n')}`;
    throw error;
  }
}
