import { type CallSite, lineText, type SpecLine, SuiteError, specLineOf } from '../verdict/index.ts';
import { Judgement } from './judgement.ts';

const NOT_AWAITED = 'was not awaited, so it proves nothing; write await before it';
const NO_EXPECTATION =
  'has no expectation, so it proves nothing; end it with .succeeds(), .isRefused(), .settles() or .eventually(…)';

interface OpenCall {
  readonly operation: string;
  readonly site: CallSite;
  isJudged: boolean;
}

/** A call that has no expectation, or whose expectation nobody awaits, proves nothing, so its test must not pass. */
export class UnjudgedCall extends SuiteError {
  override readonly name = 'UnjudgedCall';
  readonly category = 'unjudged';
}

export class Ledger {
  readonly #open = new Set<OpenCall>();
  readonly #declaredAt: SpecLine | undefined;

  /** `declaredAt` is the line of the scenario, for calls whose line in the spec is unknown. */
  constructor(declaredAt?: SpecLine) {
    this.#declaredAt = declaredAt;
  }

  enter(operation: string, site: CallSite): OpenCall {
    const call: OpenCall = { operation, site, isJudged: false };
    this.#open.add(call);
    return call;
  }

  close(call: OpenCall): void {
    this.#open.delete(call);
  }

  /**
   * Records the promise of an expectation, to detect a missing `await`. The call stays open until the promise has settled and something has
   * awaited it.
   */
  track<T>(call: OpenCall, pending: Promise<T>): Promise<T> {
    call.isJudged = true;
    this.#open.add(call);
    let missing = 2;
    const met = () => {
      if (--missing === 0) this.close(call);
    };
    pending.then(met, met);
    return Judgement.of(pending, met);
  }

  /**
   * The error for the calls that are still open: they have no expectation, or nobody has awaited it. Names the line of each call. Each call
   * is reported once.
   */
  unjudged(): UnjudgedCall | undefined {
    if (this.#open.size === 0) return undefined;
    const records = [...this.#open];
    this.#open.clear();
    const lines = records.map(({ operation, isJudged, site }) => {
      const text = `${operation} ${isJudged ? NOT_AWAITED : NO_EXPECTATION}`;
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
