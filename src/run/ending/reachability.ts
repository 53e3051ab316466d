import type { Environment } from '../../environment/index.ts';
import { type Exchange, isUnconnected } from '../../http/index.ts';
import { type RunLog, runLog } from '../../scenario/index.ts';
import { type AreaId, type CallableId, callable, callableIds } from '../../service/index.ts';
import { ExpectationError, type Failure, NotTried, outcomeOf } from '../../verdict/index.ts';

/** How an operation of an address ended; without a failure, that it works. */
interface Seen {
  readonly area: AreaId;
  readonly operation: CallableId;
  /** Epoch, in ms. */
  readonly at: number;
  readonly failure?: Failure;
  /** The call, where it had no response. */
  readonly lost?: Exchange;
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

/** The addresses that a run has given up: after one failed connection, two long waits, or errors alone. Each scenario would have to find out again. */
export class Reachability {
  readonly #environment: Environment;
  readonly #log: RunLog<Seen>;
  /** Why no users were made: no other scenario of this process gets any. */
  withoutUsers: NotTried | undefined;

  constructor(environment: Environment, runId: string) {
    this.#environment = environment;
    this.#log = runLog(runId, environment.name, 'addresses');
  }

  /** Every operation once, as it ended last. */
  note(exchanges: readonly Exchange[]): void {
    const last = new Map(exchanges.map((exchange) => [exchange.operation, exchange]));
    for (const exchange of last.values()) {
      const { area, operation, response, failure } = exchange;
      const of = { area, operation, at: Date.now() };
      if (response && response.status < 500) {
        const before = this.#of(area).at(-1);
        if (response.status !== 429 && (!before || before.failure)) this.#log.add(of);
      } else if (failure?.code !== 'ABORTED' && failure?.side !== 'ours')
        this.#log.add({ ...of, failure: failureOf(exchange), ...(response ? {} : { lost: exchange }) });
    }
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
    return this.#log.all().filter((each) => each.area === area);
  }

  /** Since the address worked last. */
  #failedOf(area: AreaId): Seen[] {
    const all = this.#of(area);
    return all.slice(all.findLastIndex(({ failure }) => failure === undefined) + 1);
  }

  #waitsOf(area: AreaId): Seen[] {
    const all = this.#of(area);
    const isSlow = ({ lost }: Seen) => lost && (lost.failure?.code === 'DEADLINE' || lost.durationMs > QUICK_MS);
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

function failureOf(exchange: Exchange): Failure {
  const silent = { verdict: 'unreachable', claim: 'assumed: the service responds', observed: 'no response' } as const;
  return new ExpectationError(exchange, outcomeOf(exchange, undefined).shortfall('success') ?? silent).failure;
}
