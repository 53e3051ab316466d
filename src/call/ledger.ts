import { type CallSite, lineText, type SpecLine, SuiteError, specLineOf } from '../verdict/index.ts';

const NOT_AWAITED = 'its expectation was not awaited, so it proves nothing; write await before it';
const NO_EXPECTATION =
  'it has no expectation, so it proves nothing; end it with .succeeds(), .isRefused(), .settles() or .eventually(…)';

interface OpenCall {
  readonly operation: string;
  readonly site: CallSite;
  isUnderWay: boolean;
}

/** A call without an expectation, or with one that was not awaited, proves nothing: its test must not pass. */
export class UnjudgedCall extends SuiteError {
  override readonly name = 'UnjudgedCall';
  readonly category = 'unjudged';
}

export class Ledger {
  readonly #open = new Set<OpenCall>();
  readonly #declaredAt: SpecLine | undefined;

  /** `declaredAt` is the scenario's line, for calls that no line of its own shows. */
  constructor(declaredAt?: SpecLine) {
    this.#declaredAt = declaredAt;
  }

  enter(operation: string, site: CallSite): OpenCall {
    const call: OpenCall = { operation, site, isUnderWay: false };
    this.#open.add(call);
    return call;
  }

  close(call: OpenCall): void {
    this.#open.delete(call);
  }

  /** Records a pending judgement, to detect a missing `await`. */
  track<T>(call: OpenCall, judgement: Promise<T>): Promise<T> {
    call.isUnderWay = true;
    this.#open.add(call);
    const done = () => this.close(call);
    judgement.then(done, done);
    return judgement;
  }

  /** The error of the calls that are unjudged so far, each with its line; none is told twice. */
  unjudged(): UnjudgedCall | undefined {
    if (this.#open.size === 0) return undefined;
    const records = [...this.#open];
    this.#open.clear();
    const lines = records.map(({ operation, isUnderWay, site }) => {
      const text = `${operation}: ${isUnderWay ? NOT_AWAITED : NO_EXPECTATION}`;
      const line = specLineOf(site()) ?? this.#declaredAt;
      return line ? `${lineText(line)}: ${text}` : text;
    });
    const [only = ''] = lines;
    const error = new UnjudgedCall(
      lines.length === 1
        ? only
        : `${lines.length} calls prove nothing:\n${lines.map((line) => `  ${line}`).join('\n')}`,
    );
    const [first] = records;
    if (first) error.stack = `${error.name}: ${error.message}\n${first.site()}`;
    return error;
  }
}
