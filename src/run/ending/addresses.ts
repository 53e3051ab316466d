import type { Environment } from '../../environment/index.ts';
import type { Exchange } from '../../http/index.ts';
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
}

/** From so many operations on that only fail, the reads among them, an address is given up; of one with fewer, all of them. */
const FEWEST_OPERATIONS = 3;
/** An operation that failed once may work the next time. */
const FEWEST_CALLS = 3;
/** How long an address rests that was given up, in ms. */
const REST_MS = 10_000;

/** The addresses that the processes of one run have given up: each new one would have to find out for itself. */
export class Addresses {
  readonly #environment: Environment;
  readonly #log: RunLog<Seen>;

  constructor(environment: Environment, runId: string) {
    this.#environment = environment;
    this.#log = runLog(runId, environment.name, 'addresses');
  }

  /** Every operation once, as it ended last. Nothing is noted of an address that never failed. */
  note(exchanges: readonly Exchange[]): void {
    const known = this.#log.all();
    const last = new Map(exchanges.map((exchange) => [exchange.operation, exchange]));
    for (const exchange of last.values()) {
      const { area, operation, response, failure } = exchange;
      const at = Date.now();
      if (response && response.status < 500) {
        if (response.status !== 429 && known.some((each) => each.area === area && each.failure))
          this.#log.add({ area, operation, at });
      } else if (failure?.code !== 'ABORTED' && failure?.side !== 'ours')
        this.#log.add({ area, operation, at, failure: failureOf(exchange) });
    }
  }

  /** That an address was given up, unless it is time to try it again. */
  down(area: AreaId | 'all'): NotTried | undefined {
    const all = this.#log.all().filter((each) => each.area === area);
    const works = all.findLastIndex(({ failure }) => failure === undefined);
    const failed = all.slice(works + 1);
    const last = failed.at(-1);
    if (!last?.failure || area === 'all' || !this.#isGivenUp(area, failed)) return undefined;
    if (Date.now() - last.at > REST_MS) {
      // Others wait for what comes of this one.
      this.#log.add({ ...last, at: Date.now() });
      return undefined;
    }
    return new NotTried(last.failure);
  }

  #isGivenUp(area: AreaId, failed: readonly Seen[]): boolean {
    const unconnected = failed.filter(({ failure }) => failure?.call?.failure !== undefined);
    if (unconnected.length === failed.length && failed.length >= FEWEST_CALLS) return true;
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

function failureOf(exchange: Exchange): Failure {
  const silent = { verdict: 'unreachable', claim: 'assumed: the service responds', observed: 'no response' } as const;
  return new ExpectationError(exchange, outcomeOf(exchange, undefined).shortfall('success') ?? silent).failure;
}
