import { SuiteError } from './category.ts';

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
      const place = placeOf(site.stack);
      return underWay
        ? `  ${operation}: its expectation was not awaited; add await at ${place}`
        : `  ${operation}: it has no expectation; end it with .succeeds(), .isRefused(), .settles() or .eventually(…) at ${place}`;
    });
    const error = new UnjudgedCall(
      `${records.length === 1 ? '1 call was' : `${records.length} calls were`} not judged, so this test proves nothing:\n${lines.join('\n')}`,
    );
    const [first] = records;
    if (first?.site.stack)
      error.stack = `${error.name}: ${error.message}\n${first.site.stack.split('\n').slice(1).join('\n')}`;
    throw error;
  }
}

/** The first place of a stack as `file.spec.ts line 12`, a form that no runner takes for a stack line. */
function placeOf(stack: string | undefined): string {
  const [, file, line] = /([^/\\()\s]+):(\d+):\d+\)?$/m.exec(stack?.split('\n')[1] ?? '') ?? [];
  return file && line ? `${file} line ${line}` : 'an unknown place';
}
