import { basename, dirname } from 'node:path';
import type { Environment } from '../../config/index.ts';
import type { Scenario, ScenarioResult } from '../../runner/index.ts';
import { type CallableId, callable, headers } from '../../spec/index.ts';
import { isSameRequest, relevant } from '../relevant-scenarios.ts';
import type { WireFault } from '../wire/act.ts';

/** Scenarios, and what each did while nothing was broken, by its title. */
export interface Healthy {
  readonly scenarios: readonly Scenario[];
  readonly results: ReadonlyMap<string, ScenarioResult>;
}

const isGreen = (result: ScenarioResult | undefined) => result?.verdict === 'passed' || result?.verdict === 'slow';

/** The most generated specs that are played for a fault that no scenario meets. */
const FEW = 2;

/**
 * The scenarios that can see a fault: green without it, and they send the broken request. Those that need the fewest requests for it
 * come first, before them the one that caught it the last time.
 */
export function candidates(fault: WireFault, healthy: Healthy, lastBy?: string | null): Scenario[] {
  const { results } = healthy;
  const able = concerned(fault, healthy).filter(({ title }) => isGreen(results.get(title)));
  const isOutage = fault.way.kind === 'answer' || fault.way.kind === 'wire';
  const cost = ({ title }: Scenario) => {
    const { exchanges = [] } = results.get(title) ?? {};
    const first = exchanges.findIndex(({ operation }) => isSameRequest(operation, fault.operation));
    return title === lastBy ? -1 : isOutage ? first + exchanges.length / 1_000 : exchanges.length;
  };
  const inTurn = able.toSorted((a, b) => cost(a) - cost(b));
  if (fault.way.header) return inTurn;
  const own = inTurn.filter((each) => folderOf(each) !== 'auth');
  return own.length > 0 ? own : inTurn.slice(0, FEW);
}

/** The scenarios that are about what is broken, whether they can run here or not. */
export function concerned({ operation, way }: WireFault, { scenarios, results }: Healthy): readonly Scenario[] {
  if (way.header) {
    const what = way.id.startsWith('acts-for') ? 'the mm-user-id of another user' : `${headers[way.header].name} `;
    const about = `${operation.id} with ${what}`;
    // Whether its value matters is another question than whether it is there.
    const isForm = ({ title }: Scenario) => !way.id.endsWith('of-any-value') || / wrong /.test(title);
    return scenarios.filter((each) => folderOf(each) === 'auth' && each.title.startsWith(about) && isForm(each));
  }
  return scenarios.filter(({ title, body }) => {
    const sent = results.get(title)?.exchanges ?? [];
    if (sent.length > 0) return sent.some((each) => isSameRequest(each.operation, operation));
    return body.toString().includes(`.${operation.id}(`) || title.startsWith(`${operation.id} `);
  });
}

/** The scenarios that a drill of some faults needs: those of their operations' areas, and the generated ones of what is broken. */
export function playedFor(faults: readonly WireFault[], scenarios: readonly Scenario[]): Scenario[] {
  const nothing: Healthy = { scenarios, results: new Map() };
  const needed = faults.flatMap((fault) => {
    if (fault.way.header) return concerned(fault, nothing);
    const able = relevant(scenarios, [fault.operation.id as CallableId]);
    const generated = able.filter((each) => folderOf(each) === 'auth');
    return [...able.filter((each) => folderOf(each) !== 'auth'), ...generated.slice(0, FEW)];
  });
  const chosen = new Set(needed);
  return scenarios.filter((each) => chosen.has(each));
}

/** About how many requests a drill sends: the healthy run, then for each fault the first scenario that can see it. */
export function plannedRequests(faults: readonly WireFault[], healthy: Healthy): number {
  const { results } = healthy;
  const count = (title: string) => results.get(title)?.exchanges.filter(({ tampered }) => !tampered).length ?? 0;
  const first = faults.map((fault) => candidates(fault, healthy)[0]?.title ?? '').map(count);
  return [...[...results.keys()].map(count), ...first].reduce((sum, each) => sum + each, 0);
}

export function folderOf({ file }: Pick<Scenario, 'file'>): string {
  return basename(dirname(file));
}

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

/**
 * The environment of a look at a fault: nobody waits longer than it takes to be sure, and the drill keeps the pace itself, in which a
 * request waits up to `intervalMs` for its turn.
 */
export function forLook(
  environment: Environment,
  fault: WireFault,
  healthy: readonly ScenarioResult[],
  intervalMs: number,
): Environment {
  const { requestTimeoutMs, slowAfterMs, rateLimits } = environment;
  const slowest = Math.max(0, ...healthy.flatMap(({ exchanges }) => exchanges.map((each) => each.durationMs)));
  const enough = Math.max(LEAST_PATIENCE_MS, PATIENCE * slowest);
  const { maxRequestsPerSecond: _, ...limits } = rateLimits ?? { retryAfterLimitMs: 0 };
  const longest = fault.way.id === 'deadline' ? Math.min(requestTimeoutMs, enough) : requestTimeoutMs;
  return {
    ...environment,
    ...(rateLimits ? { rateLimits: limits } : {}),
    requestTimeoutMs: longest + intervalMs,
    slowAfterMs: fault.way.id === 'is-slow' ? Math.min(slowAfterMs, enough) : Math.max(slowAfterMs, enough),
  };
}
