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
  /** The verdict of that scenario. If no scenario catches the fault: the reason, with a way to close the gap. */
  readonly reason: string;
}

export interface ServiceDrilled {
  readonly outcomes: readonly WireOutcome[];
  /** Number of requests that the service received. */
  readonly requests: number;
}

/** Faults drilled at a time if a provisioner creates users for each run and no rate limit is set; otherwise one at a time. */
const AT_ONCE = 10;

/** Deadline for an operation that never responds: this many times the slowest healthy response, but at least LEAST_PATIENCE_MS. */
const PATIENCE = 5;
const LEAST_PATIENCE_MS = 1_500;

/** Limit for slow responses, in ms: so high that no response counts as slow, because no fault here is about slowness. */
const NEVER_SLOW_MS = 600_000;

/**
 * Drills a service that must not be harmed. Each fault exists only in this process, on the way to the network. After each fault, the drill
 * undoes the changes that the scenarios made, with requests that no fault affects.
 */
export async function drillService(options: ServiceDrillOptions): Promise<ServiceDrilled> {
  await using drill = new ServiceDrill(options);
  return await drill.run();
}

/** Plays the scenarios without any fault, and leaves no lasting effects. */
export async function healthyRun(options: Omit<ServiceDrillOptions, 'faults'>): Promise<Healthy> {
  await using drill = new ServiceDrill({ ...options, faults: [] });
  return await drill.healthy();
}

class ServiceDrill {
  readonly #options: ServiceDrillOptions;
  readonly #environment: Environment;
  readonly #inner: Transports;
  readonly #scratch = scratchFolder('sextant-drill-');
  /**
   * Pause between two runs in ms. Each run limits only its own rate, so without a pause two in a row could exceed the environment's rate.
   */
  readonly #pauseMs: number;
  #learned: readonly Exchange[] = [];
  #requests = 0;

  constructor(options: ServiceDrillOptions) {
    // The drill's own replies match neither the shapes that a survey learned nor the team's OpenAPI document, so the drill checks neither.
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

  /** Plays one scenario with the fault, then undoes the changes of the scenario. */
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
    // A list of used items only for this scenario: if the fault refuses to delete an item, the item can still be used.
    const result = await withUsedItems(join(this.#scratch, randomUUID()), () =>
      playAlone(scenario, { environment, users, seed, transports, ...(signal ? { signal } : {}) }),
    );
    this.#count(result.exchanges);
    await this.#undo();
    return { result, isMet: wire.isMet };
  }

  /** Undoes all changes with requests that no fault affects, even after something stopped the drill. */
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
