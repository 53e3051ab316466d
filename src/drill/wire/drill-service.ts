import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileRoles, remove, scratchFolder } from '../../environment/files/index.ts';
import type { Environment } from '../../environment/index.ts';
import type { Exchange } from '../../http/index.ts';
import { type RunOptions, runAll, type Scenario, type ScenarioResult } from '../../run/index.ts';
import { sweep } from '../../safety/index.ts';
import { forgetRun, nodeTransports, type Transports, unusedItems, withUsedItems } from '../../scenario/index.ts';
import { silent, verdicts } from '../../verdict/index.ts';
import { someAtOnce } from '../in-processes.ts';
import { playAlone } from '../play.ts';
import type { WireFault } from './faults.ts';
import { faultyTransports } from './faulty-transports.ts';
import { FaultyWire } from './faulty-wire.ts';
import { candidates, type Healthy, whyMissed } from './plan.ts';

export interface ServiceDrillOptions extends Pick<RunOptions, 'environment' | 'seed' | 'users'> {
  readonly scenarios: readonly Scenario[];
  readonly faults: readonly WireFault[];
  readonly signal?: AbortSignal;
  readonly onOutcome?: (outcome: WireOutcome) => void;
}

export interface WireOutcome {
  readonly name: string;
  readonly operation: string;
  readonly kind: string;
  readonly caught: boolean;
  /** The title of the scenario that catches the fault. */
  readonly by: string | null;
  /** The verdict of the scenario; or the reason why none catches the fault, with a way to close the gap. */
  readonly reason: string;
}

export interface ServiceDrilled {
  readonly outcomes: readonly WireOutcome[];
  /** Number of requests that the service received. */
  readonly requests: number;
}

/** Number of faults at a time, if each run has its own users and no rate is set. */
const AT_ONCE = 10;

/** Deadline for an operation that never responds: this many times the slowest healthy response, but at least LEAST_PATIENCE_MS. */
const PATIENCE = 5;
const LEAST_PATIENCE_MS = 1_500;

/** Limit for slow responses, in ms: so high that none counts as slow, because slowness is not among these faults. */
const NEVER_SLOW_MS = 600_000;

/**
 * Drills a service that must not be harmed. Each fault exists only on the wire of this process. Before the next fault, the drill undoes the changes
 * of this one over the healthy wire.
 */
export async function drillService(options: ServiceDrillOptions): Promise<ServiceDrilled> {
  await using drill = new ServiceDrill(options);
  return await drill.run();
}

/** Plays the scenarios in an environment without any fault, and leaves no lasting effects. */
export async function healthyRun(options: Omit<ServiceDrillOptions, 'faults'>): Promise<Healthy> {
  await using drill = new ServiceDrill({ ...options, faults: [] });
  return await drill.healthy();
}

class ServiceDrill {
  readonly #options: ServiceDrillOptions;
  readonly #environment: Environment;
  readonly #inner: Transports;
  readonly #scratch = scratchFolder('sextant-drill-');
  /** Pause between two runs in ms, because each run keeps to the environment's rate only within itself. */
  readonly #pauseMs: number;
  #learned: readonly Exchange[] = [];
  #requests = 0;

  constructor(options: ServiceDrillOptions) {
    // The drill's own replies have neither the learned shapes nor those of the team's document, so neither is checked.
    const { observed: _, contract: __, ...environment } = options.environment;
    const storedItemIds = unusedItems(environment, environment.data.storedItemIds);
    const { maxRequestsPerSecond } = environment.rateLimits ?? {};
    this.#options = options;
    this.#inner = nodeTransports(environment);
    this.#environment = { ...environment, data: { ...environment.data, storedItemIds }, slowAfterMs: NEVER_SLOW_MS };
    this.#pauseMs = maxRequestsPerSecond ? 1_000 / maxRequestsPerSecond : 0;
  }

  async run(): Promise<ServiceDrilled> {
    const { faults, signal, onOutcome } = this.#options;
    const healthy = await this.healthy();
    const outcomes: WireOutcome[] = [];
    const work = async (fault: WireFault) => {
      const outcome = await this.#drillOne(fault, healthy);
      if (!outcome) return;
      outcomes.push(outcome);
      onOutcome?.(outcome);
    };
    const { provisionUrl } = this.#environment;
    await someAtOnce(faults, work, signal, provisionUrl && this.#pauseMs === 0 ? AT_ONCE : 1);
    return { outcomes, requests: this.#requests };
  }

  async healthy(): Promise<Healthy> {
    const { scenarios, seed, users, signal } = this.#options;
    const environment = this.#environment;
    const runId = randomUUID();
    const transports = faultyTransports(new FaultyWire(environment, []), this.#inner);
    const results = await runAll(scenarios, {
      environment,
      users,
      seed,
      runId,
      transports,
      ...(signal ? { signal } : {}),
    });
    forgetRun(runId);
    this.#learned = results.flatMap(({ exchanges }) => exchanges);
    this.#count(this.#learned);
    await this.#undo();
    return { scenarios, results: new Map(results.map((result) => [result.title, result])) };
  }

  /** Undoes all changes, however the drill ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#inner.dispose();
    remove(this.#scratch, fileRoles.scratch);
    await this.#undo();
  }

  async #drillOne(fault: WireFault, healthy: Healthy): Promise<WireOutcome | undefined> {
    const { signal } = this.#options;
    const about = { name: fault.name, operation: fault.operation.id, kind: fault.kind };
    let isMet = false;
    let unjudged: string | undefined;
    for (const scenario of candidates(fault, healthy)) {
      const { result, isMet: isMetHere } = await this.#look(scenario, fault);
      if (signal?.aborted) return undefined;
      isMet ||= isMetHere;
      const { detects, health } = verdicts[result.verdict];
      if (isMetHere && detects) return { ...about, caught: true, by: scenario.title, reason: result.verdict };
      if (isMetHere && health === 'unknown') unjudged ??= `could not be judged: ${result.reason}`;
    }
    const why = unjudged ?? whyMissed(fault, healthy, isMet, this.#environment);
    const reason = (isMet && fault.survives) || why;
    return { ...about, caught: false, by: null, reason };
  }

  /** Plays one scenario with the fault on its wire, then undoes its changes. */
  async #look(scenario: Scenario, fault: WireFault): Promise<{ result: ScenarioResult; isMet: boolean }> {
    const { seed, users, signal } = this.#options;
    await wait(this.#pauseMs);
    const slowest = Math.max(0, ...this.#learned.map(({ durationMs }) => durationMs));
    const enough = Math.max(LEAST_PATIENCE_MS, PATIENCE * slowest);
    const { requestTimeoutMs } = this.#environment;
    const longest = fault.reply === 'silence' ? Math.min(requestTimeoutMs, enough) : requestTimeoutMs;
    const environment = { ...this.#environment, requestTimeoutMs: longest };
    const wire = new FaultyWire(environment, this.#learned, fault);
    const transports = faultyTransports(wire, this.#inner);
    // A separate list of used items, because an item whose deletion the fault refuses is not used up.
    const result = await withUsedItems(join(this.#scratch, randomUUID()), () =>
      playAlone(scenario, { environment, users, seed, transports, ...(signal ? { signal } : {}) }),
    );
    this.#count(result.exchanges);
    await this.#undo();
    return { result, isMet: wire.isMet };
  }

  /** Undoes all changes over the healthy wire, even after something stopped the drill. */
  async #undo(): Promise<void> {
    if (this.#environment.provisionUrl) return;
    await wait(this.#pauseMs);
    const observer = { ...silent, exchanged: () => void this.#requests++ };
    await sweep(this.#environment, { observer });
  }

  #count(exchanges: readonly Exchange[]): void {
    this.#requests += exchanges.filter(({ tampered }) => tampered !== 'not sent').length;
  }
}
