import type { Environment } from '../environment/index.ts';
import { type Exchange, isUnconnected } from '../http/index.ts';
import { type AreaId, areaIds, type CallableId, callable, callableIds } from '../service/index.ts';
import { ExpectationError, type Failure, NotTried, outcomeOf } from '../verdict/index.ts';
import { type Log, memoryLog } from './log.ts';

/** How an operation of an address ended; without a failure, that it works. */
export interface Seen {
  readonly area: AreaId;
  readonly operation: CallableId;
  /** Epoch, in ms. */
  readonly at: number;
  readonly failure?: Failure;
  /** The call, where it had no response. */
  readonly lost?: Exchange;
  /** It undid what an earlier run left, in less time than a scenario has, so the address is not given up. */
  readonly isUndo?: true;
}

/** From so many operations on that only fail, the reads among them, an address is given up; of one with fewer, all of them. */
const FEWEST_OPERATIONS = 3;
/** An operation that failed once may work the next time. */
const FEWEST_CALLS = 3;
/** How often an address that has never responded may keep a call waiting. */
const MOST_WAITS = 2;
/** Slower failures, in ms, are too expensive to repeat for every scenario. */
const QUICK_MS = 500;
/** How long an address rests that was given up, in ms. */
const REST_MS = 10_000;
/** How long a process remembers for its next runs that an address kept a call waiting, in ms: an interval, and the wait for a turn. */
const RECENT_MS = 90_000;

/**
 * Which addresses respond. A run gives one up after one failed connection, two long waits, or errors alone: each scenario would have to find out
 * again. Whoever starts runs keeps it: `log` is shared by the processes of a run, or lasts as long as this one.
 */
export class Reachability {
  readonly #environment: Environment;
  readonly #log: Log<Seen>;
  readonly #process: Reachability | undefined;
  /** Why no users were made: no other scenario of this process gets any. */
  withoutUsers: NotTried | undefined;

  constructor(environment: Environment, log: Log<Seen> = memoryLog(), process?: Reachability) {
    this.#environment = environment;
    this.#log = log;
    this.#process = process;
  }

  /** For the runs of a process that stays: of each operation, what was seen last. */
  static ofProcess(environment: Environment): Reachability {
    return new Reachability(
      environment,
      memoryLog(({ operation }) => operation),
    );
  }

  /** For the next run of this process: the run asks by itself, but waits only briefly for what has just kept another one waiting. */
  next(): Reachability {
    const run = new Reachability(this.#environment, memoryLog(), this);
    const waits = areaIds.flatMap((area) => this.#of(area).at(-1) ?? []).filter(({ lost }) => isLate(lost));
    for (const each of waits) if (Math.abs(Date.now() - each.at) < RECENT_MS) run.#log.add(each);
    return run;
  }

  /** Every operation once, as it ended last. `isUndo`: they undid what an earlier run left. */
  note(exchanges: readonly Exchange[], isUndo?: true): void {
    this.#process?.note(exchanges, isUndo);
    const isLast = (one: Exchange) => exchanges.findLast(({ operation }) => operation === one.operation) === one;
    for (const exchange of exchanges.filter(isLast)) {
      const { area, operation, response, failure } = exchange;
      const of = { area, operation, at: Date.now(), ...(isUndo ? { isUndo } : {}) };
      const { isThrottled, shortfall } = outcomeOf(exchange, undefined);
      const short = shortfall('success');
      if (response && response.status < 500) {
        const before = this.#of(area).at(-1);
        if (this.isSilent(area) || (!isThrottled && (!before || before.failure))) this.#log.add(of);
      } else if (short && failure?.code !== 'ABORTED' && failure?.side !== 'ours') {
        const error = new ExpectationError(exchange, short);
        this.#log.add({ ...of, failure: error.failure, ...(response ? {} : { lost: exchange }) });
      }
    }
  }

  /** Whether the last request of an area, or the last to its address, came to nothing: the next would wait as long. */
  isSilent(area: AreaId): boolean {
    const { addresses } = this.#environment;
    const there = this.#log.all().filter((each) => addresses[each.area].href === addresses[area].href);
    const sinceAnswer = (all: readonly Seen[]) => all.slice(all.findLastIndex(({ lost }) => !lost) + 1);
    const ofArea = there.filter((each) => each.area === area && !(each.lost && isUnconnected(each.lost)));
    const isUnreached = sinceAnswer(there).some(({ lost }) => lost && isUnconnected(lost));
    return isUnreached || sinceAnswer(ofArea).length > 0;
  }

  /** The first of some areas whose address was given up, unless it is time to try it again. */
  down(areas: readonly AreaId[]): NotTried | undefined {
    for (const area of areas) {
      const failed = this.#failedOf(area);
      const last = failed.at(-1);
      if (!last?.failure || !this.#isGivenUp(area, failed)) continue;
      // Other scenarios wait until this one has tried the address.
      if (Date.now() - last.at > REST_MS) this.#log.add({ ...last, at: Date.now() });
      else return notTried(last);
    }
    return undefined;
  }

  /** The call with which one of some areas, which has never responded, kept a scenario waiting. */
  doubt(areas: readonly AreaId[]): { readonly error: NotTried; readonly confirm: () => void } | undefined {
    const [waited] = areas.flatMap((area) => this.#waitsOf(area));
    return waited && { error: notTried(waited), confirm: () => this.#log.add({ ...waited, at: Date.now() }) };
  }

  #of(area: AreaId): Seen[] {
    return this.#log.all().filter((each) => each.area === area && !each.isUndo);
  }

  /** Since the address worked last. */
  #failedOf(area: AreaId): Seen[] {
    const all = this.#of(area);
    return all.slice(all.findLastIndex(({ failure }) => failure === undefined) + 1);
  }

  #waitsOf(area: AreaId): Seen[] {
    const all = this.#of(area);
    const isSlow = ({ lost }: Seen) => lost && (isLate(lost) || lost.durationMs > QUICK_MS);
    return all.every(({ failure }) => failure?.call?.status === undefined && failure) ? all.filter(isSlow) : [];
  }

  #isGivenUp(area: AreaId, failed: readonly Seen[]): boolean {
    if (failed.some(({ lost }) => lost && isUnconnected(lost)) || this.#waitsOf(area).length >= MOST_WAITS) return true;
    const { allowedEffects, readProfile } = this.#environment;
    const allowed = callableIds.filter((id) => {
      const { area: of, effect } = callable(id);
      return of === area && allowedEffects.has(effect) && (id !== 'readProfile' || readProfile !== undefined);
    });
    const reads = allowed.filter((id) => callable(id).effect === 'read');
    const met = new Set(failed.map(({ operation }) => operation));
    const isEnough = met.size >= Math.min(FEWEST_OPERATIONS, allowed.length) && failed.length >= FEWEST_CALLS;
    return isEnough && reads.every((id) => met.has(id));
  }
}

function notTried({ failure, lost: exchange }: Seen): NotTried {
  return new NotTried(failure as Failure, { exchange });
}

function isLate(lost: Exchange | undefined): boolean {
  return lost?.failure?.code === 'DEADLINE';
}
