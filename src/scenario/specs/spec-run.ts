import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from 'node:util';
import {
  excerpt,
  isThrownBySuite,
  lineOfMistake,
  type SpecLine,
  SpecMistake,
  SuiteError,
} from '../../verdict/index.ts';

const storage = new AsyncLocalStorage<SpecRun>();
const underWay = new Set<SpecRun>();
/** The exit code before code of any spec ran. */
let exitCode: typeof process.exitCode;

/**
 * Running code of a spec: a scenario, or a file that is being loaded. Collects the errors that no `await` of the spec sees: rejected
 * promises that nothing waits for, errors that timers and events throw, and attempts to end the process.
 */
export class SpecRun {
  readonly #declaredAt: SpecLine | undefined;
  readonly #errors: unknown[] = [];
  readonly #broken = Promise.withResolvers<never>();
  #isOver = false;
  #isBroken = false;

  constructor(declaredAt?: SpecLine) {
    this.#declaredAt = declaredAt;
    this.#broken.promise.catch(() => {});
    if (underWay.size === 0) exitCode = process.exitCode;
    underWay.add(this);
  }

  /** The `SpecRun` whose code is running now; `undefined` if it is the suite's code. */
  static get current(): SpecRun | undefined {
    return storage.getStore();
  }

  run<T>(work: () => T): T {
    return storage.run(this, work);
  }

  /**
   * Rejects with the first error that no `await` sees. The runner waits for it as well as for the body, because the body may never end
   * after this error.
   */
  get broken(): Promise<never> {
    return this.#broken.promise;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  add(error: unknown): void {
    const mistake = error instanceof SpecMistake ? error.at(this.#declaredAt) : error;
    this.#errors.push(mistake);
    this.#isBroken = true;
    this.#broken.reject(mistake);
  }

  /** The errors so far, each returned only once. Waits a turn of the event loop, because a rejection shows only then. */
  async errors(): Promise<readonly unknown[]> {
    await nextTurn();
    return this.#errors.splice(0);
  }

  /**
   * Ends the run of this code. Errors that the code throws later no longer change its result. Resets an exit code that the code has set.
   */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    underWay.delete(this);
    if (process.exitCode !== exitCode) process.exitCode = exitCode;
  }
}

/**
 * Gives an uncaught error to the spec whose code threw it, or to all specs under way if that spec is unknown. Returns the error if no spec could
 * get it: the spec has ended, or the error is the suite's.
 */
export function strayed(thrown: unknown, kind: Stray): unknown {
  const owner = SpecRun.current;
  // If an error has already broken the scenario, a late error of the same scenario adds nothing.
  if (owner?.isOver && owner.isBroken) return undefined;
  const runs = owner ? [owner].filter(({ isOver }) => !isOver) : [...underWay];
  for (const run of runs) run.add(strayError(thrown, kind));
  return runs.length > 0 ? undefined : strayError(thrown, kind);
}

const cures = {
  rejection: ['a promise was rejected, and nothing waits for it', 'await it, or several with Promise.all'],
  exception: ['a timer or an event threw an error that nothing catches', 'correct the line'],
} as const;

export type Stray = keyof typeof cures;

function strayError(thrown: unknown, kind: Stray): unknown {
  if (thrown instanceof SpecMistake) return thrown;
  const { stack } = thrown instanceof Error ? thrown : {};
  // The suite throws the error of a broken expectation, but if nothing catches it, the mistake is the spec's: it lacks an `await`.
  if (isThrownBySuite(stack) && !(thrown instanceof SuiteError)) return thrown;
  const [what, cure] = cures[kind];
  return new SpecMistake(`${what}: ${excerpt(textOf(thrown), 500)}; ${cure}`, lineOfMistake(stack));
}

function textOf(thrown: unknown): string {
  if (thrown instanceof SuiteError) return thrown.failure.reason;
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : inspect(thrown);
}
