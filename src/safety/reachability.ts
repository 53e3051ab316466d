import type { Environment } from '../environment/index.ts';
import { type Exchange, isUnconnected } from '../http/index.ts';
import { type AreaId, areaIds, type CallableId, callable, callableIds } from '../service/index.ts';
import { ExpectationError, type Failure, NotTried, outcomeOf } from '../verdict/index.ts';
import { type Log, memoryLog } from './log.ts';

/** How a call of an operation ended; without `failure`, the operation works. */
export interface Seen {
  readonly area: AreaId;
  readonly operation: CallableId;
  /** When the call was noted, in ms since 1970. */
  readonly at: number;
  readonly failure?: Failure;
  /** The call, if it had no response. */
  readonly lost?: Exchange;
  /**
   * The call was an undo of an earlier run's change. Undos have less time than a scenario, so their failures don't make a run give up the address.
   */
  readonly isUndo?: true;
}

/**
 * A run gives up an address once this many operations have failed and none of them has worked since. If the address has fewer operations,
 * all of them must have failed. In any case all reads must have failed.
 */
const FEWEST_OPERATIONS = 3;
/** Minimum number of failed calls before a run gives up an address, because an operation that failed once may work the next time. */
const FEWEST_CALLS = 3;
/**
 * If this many calls to an address timed out or took longer than QUICK_MS without a response, and the address has never responded, a run
 * gives up the address.
 */
const MOST_WAITS = 2;
/** A call without a response that takes longer than this, in ms, is too expensive to repeat for every scenario. */
const QUICK_MS = 500;
/** After this time, in ms, a run tries an address again that it had given up. */
const REST_MS = 10_000;
/**
 * How long a process remembers for its next runs that an address kept a call waiting, in ms. It covers the interval between two runs and the wait for
 * a turn.
 */
const RECENT_MS = 90_000;

/**
 * Knows which addresses respond. A run gives up an address after one failed connection, after `MOST_WAITS` calls that waited long without a
 * response, or after nothing but errors. Otherwise every scenario would wait for the address again. The processes of a run share `log`. By
 * default it exists only in this process.
 */
export class Reachability {
  readonly #environment: Environment;
  readonly #log: Log<Seen>;
  readonly #process: Reachability | undefined;
  /** The reason why the provisioner created no users. Once this is set, later scenarios of the process are not tried. */
  withoutUsers: NotTried | undefined;

  constructor(environment: Environment, log: Log<Seen> = memoryLog(), process?: Reachability) {
    this.#environment = environment;
    this.#log = log;
    this.#process = process;
  }

  /** Creates the instance that the runs of a resident process share. It keeps the last outcome of each operation. */
  static ofProcess(environment: Environment): Reachability {
    return new Reachability(
      environment,
      memoryLog(({ operation }) => operation),
    );
  }

  /**
   * Creates the instance for the next run of this process. That run tries every address again, but waits only briefly for an address that
   * has just kept another run waiting.
   */
  next(): Reachability {
    const run = new Reachability(this.#environment, memoryLog(), this);
    const waits = areaIds.flatMap((area) => this.#of(area).at(-1) ?? []).filter(({ lost }) => isLate(lost));
    for (const each of waits) if (Math.abs(Date.now() - each.at) < RECENT_MS) run.#log.add(each);
    return run;
  }

  /** Notes the last outcome of each operation. `isUndo`: the calls undid changes of an earlier run. */
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

  /**
   * Whether a request to an area would probably get no response: the last request to the area got none, or the last request to the area's
   * address, which other areas may share, got no connection.
   */
  isSilent(area: AreaId): boolean {
    const { addresses } = this.#environment;
    const there = this.#log.all().filter((each) => addresses[each.area].href === addresses[area].href);
    const sinceAnswer = (all: readonly Seen[]) => all.slice(all.findLastIndex(({ lost }) => !lost) + 1);
    const ofArea = there.filter((each) => each.area === area && !(each.lost && isUnconnected(each.lost)));
    const isUnreached = sinceAnswer(there).some(({ lost }) => lost && isUnconnected(lost));
    return isUnreached || sinceAnswer(ofArea).length > 0;
  }

  /**
   * The error for the first of these areas whose address this run has given up. `undefined` if the run has given up none of the addresses,
   * or if it is time to try the address again.
   */
  down(areas: readonly AreaId[]): NotTried | undefined {
    for (const area of areas) {
      const failed = this.#failedOf(area);
      const last = failed.at(-1);
      if (!last?.failure || !this.#isGivenUp(area, failed)) continue;
      // The caller now tries the address again. The new time keeps other scenarios from trying the address as well.
      if (Date.now() - last.at > REST_MS) this.#log.add({ ...last, at: Date.now() });
      else return notTried(last);
    }
    return undefined;
  }

  /**
   * If one of these areas has never responded: the error of an earlier call to it that waited long without a response. Call `confirm` if
   * another call to the area waited without a response, too.
   */
  doubt(areas: readonly AreaId[]): { readonly error: NotTried; readonly confirm: () => void } | undefined {
    const [waited] = areas.flatMap((area) => this.#waitsOf(area));
    return waited && { error: notTried(waited), confirm: () => this.#log.add({ ...waited, at: Date.now() }) };
  }

  #of(area: AreaId): Seen[] {
    return this.#log.all().filter((each) => each.area === area && !each.isUndo);
  }

  /** The failures since the area last worked. */
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
