import type { KnownScenario } from '../../history/scenarios.ts';
import type { ScenarioView } from '../view.ts';
import type { Board } from './board.ts';

/** One scenario each time: with 85 bytes an event, a page that stays open gets 37 MB a day at most. */
const PACE_MS = 200;

/** Between looks for what is stale, in ms. */
const LOOK_MS = 1_000;

interface RefresherOptions {
  readonly board: Board;
  /** Epoch, in ms. */
  readonly now: () => number;
  /** Called with each scenario whose figures were read again. */
  readonly onRead: (view: ScenarioView) => void;
}

/** Keeps the figures up to date in the background, one scenario at a time. */
export class FiguresRefresher {
  readonly #options: RefresherOptions;
  #queue: KnownScenario[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isFirstRound = true;

  constructor(options: RefresherOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setTimeout(() => this.#next(), 0).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** These come before all others. */
  first(scenarios: readonly KnownScenario[]): void {
    this.#queue.push(...scenarios);
  }

  #next(): void {
    const { board, now } = this.#options;
    if (this.#queue.length === 0) this.#queue = board.stale(now()).reverse();
    const known = this.#queue.pop();
    const ms = known ? this.#read(known) : 0;
    if (this.#queue.length === 0) this.#isFirstRound = false;
    // The first round takes a third of the time that there is: pages wait for it.
    const wait = this.#isFirstRound ? 2 * ms : known ? PACE_MS : LOOK_MS;
    this.#timer = setTimeout(() => this.#next(), wait).unref();
  }

  /** How long it took, in ms. */
  #read(known: KnownScenario): number {
    const { board, now, onRead } = this.#options;
    const start = performance.now();
    try {
      onRead(board.read(known, now()));
    } catch {
      // The recorder reports trouble with the history; the figures stay those of before.
    }
    return performance.now() - start;
  }
}
