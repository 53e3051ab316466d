import type { Environment } from '../../config/index.ts';
import type { ScenarioResult } from '../../runner/index.ts';
import { type CallableId, callable } from '../../spec/index.ts';
import type { WireFault } from '../wire/act.ts';

/** A broken operation that never answers is waited for so many times as long as the slowest healthy one, in ms at least. */
const PATIENCE = 5;
const LEAST_PATIENCE_MS = 1_500;

/** What answers in the service's place has not the shapes that were observed there, nor those of the team's own document. */
export function withoutLastingShapes(environment: Environment): Environment {
  const { observed, contract, provisionUrl } = environment;
  const lasts = (id: string) => {
    const { effect } = callable(id as CallableId);
    return effect === 'irreversible' || (effect === 'overwriting' && !provisionUrl);
  };
  const kept = <K extends string, V>(all: ReadonlyMap<K, V>) => new Map([...all].filter(([id]) => !lasts(id)));
  return {
    ...environment,
    ...(observed ? { observed: kept(observed) } : {}),
    ...(contract ? { contract: { ...contract, operations: kept(contract.operations) } } : {}),
  };
}

interface Look {
  readonly fault: WireFault | undefined;
  readonly healthy: readonly ScenarioResult[];
  /** Items that were deleted since the drill began. */
  readonly gone: ReadonlySet<string>;
  /** How long a request may wait for its turn, in ms. */
  readonly intervalMs: number;
}

/** The environment of a look at a fault: nobody waits longer than it takes to be sure, and the drill keeps the pace itself. */
export function forLook(environment: Environment, { fault, healthy, gone, intervalMs }: Look): Environment {
  const { requestTimeoutMs, slowAfterMs, data, rateLimits } = environment;
  const slowest = Math.max(0, ...healthy.flatMap(({ exchanges }) => exchanges.map((each) => each.durationMs)));
  const enough = Math.max(LEAST_PATIENCE_MS, PATIENCE * slowest);
  const { maxRequestsPerSecond: _, ...limits } = rateLimits ?? { retryAfterLimitMs: 0 };
  const longest = fault?.way.id === 'deadline' ? Math.min(requestTimeoutMs, enough) : requestTimeoutMs;
  return {
    ...environment,
    ...(rateLimits ? { rateLimits: limits } : {}),
    requestTimeoutMs: longest + intervalMs,
    data: { ...data, storedItemIds: data.storedItemIds.filter((id) => !gone.has(id)) },
    slowAfterMs: fault?.way.id === 'is-slow' ? Math.min(slowAfterMs, enough) : Math.max(slowAfterMs, enough),
  };
}
