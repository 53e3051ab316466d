import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { redact, Slots, silent, verdicts } from '../../client/index.ts';
import { fileRoles, listFolder, readText, remove, replaceText, scratchFolder } from '../../config/files/index.ts';
import type { Environment } from '../../config/index.ts';
import { runAll, type Scenario, type ScenarioResult } from '../../runner/index.ts';
import {
  forgetMemory,
  forgetRun,
  nodeTransports,
  stateFolder,
  undoLeftovers,
  undoQuietly,
  unusedItems,
  withMemory,
} from '../../scenario/index.ts';
import { someAtOnce } from '../in-processes.ts';
import { playAlone } from '../play.ts';
import type { WireFault } from '../wire/act.ts';
import { FaultyWire } from '../wire/faulty-wire.ts';
import { faultyTransports, ReplyServer } from '../wire/hook.ts';
import type { ServiceDrilled, ServiceDrillOptions, WireOutcome } from './options.ts';
import { candidates, forLook, type Healthy, withoutLastingShapes } from './plan.ts';
import { whySurvived, whyUnmet, whyUnseen } from './why-not-caught.ts';

/** Faults at a time where each run has users of its own and no pace is set. */
const AT_ONCE = 10;

/**
 * Drills a service that must not be harmed: each fault is on the wire of this process alone, and what it left behind is
 * undone over the healthy wire before the next one.
 */
export async function drillService(options: ServiceDrillOptions): Promise<ServiceDrilled> {
  await using drill = new ServiceDrill(options);
  return await drill.run();
}

/** What the scenarios do in an environment while nothing is broken. Effects that last are left out. */
export async function healthyRun(options: Omit<ServiceDrillOptions, 'faults'>): Promise<readonly ScenarioResult[]> {
  await using drill = new ServiceDrill({ ...options, faults: [] });
  return await drill.healthy();
}

class ServiceDrill {
  readonly #options: ServiceDrillOptions;
  readonly #environment: Environment;
  readonly #replies = new ReplyServer();
  readonly #inner = nodeTransports();
  readonly #scratch = scratchFolder('sextant-drill-');
  readonly #accepted: string;
  /** Between two requests to the service, in ms; what the drill answers itself isn't counted. */
  readonly #intervalMs: number;
  #slots: Slots;
  #results: readonly ScenarioResult[] = [];
  readonly #blanks = {};
  #requests = 0;

  constructor(options: ServiceDrillOptions) {
    this.#options = options;
    const { environment } = options;
    const storedItemIds = unusedItems(environment.name, environment.data.storedItemIds);
    this.#environment = withoutLastingShapes({ ...environment, data: { ...environment.data, storedItemIds } });
    const { maxRequestsPerSecond } = environment.rateLimits ?? {};
    this.#intervalMs = maxRequestsPerSecond ? 1_000 / maxRequestsPerSecond : 0;
    this.#slots = new Slots(this.#intervalMs, 0);
    this.#accepted = join(this.#scratch, 'accepted');
    const known = join(stateFolder(), 'accepted', environment.name);
    for (const file of listFolder(known, fileRoles.state)) {
      const text = readText(join(known, file), fileRoles.state);
      replaceText(join(this.#accepted, environment.name, file), redact(text), fileRoles.state);
    }
  }

  async run(): Promise<ServiceDrilled> {
    const start = performance.now();
    const { faults, signal, onOutcome } = this.#options;
    await this.healthy();
    const outcomes: WireOutcome[] = [];
    const work = async (fault: WireFault) => {
      const outcome = await this.#drillOne(fault);
      if (!outcome) return;
      outcomes.push(outcome);
      onOutcome?.(outcome, this.#requests);
    };
    const { provisionUrl, rateLimits } = this.#environment;
    await someAtOnce(faults, work, signal, provisionUrl && !rateLimits?.maxRequestsPerSecond ? AT_ONCE : 1);
    return { outcomes, requests: this.#requests, durationMs: performance.now() - start };
  }

  async healthy(): Promise<readonly ScenarioResult[]> {
    await this.#replies.start();
    const { scenarios, seed, signal } = this.#options;
    const runId = randomUUID();
    const environment = this.#environment;
    // Areas run side by side here, so the pace is kept before a call's deadline begins.
    const transports = this.#transports(this.#wire(environment), async () => {});
    this.#results = await withMemory({ accepted: this.#accepted, usedItems: join(this.#scratch, runId) }, () =>
      runAll(scenarios, { environment, seed, runId, transports, ...(signal ? { signal } : {}) }),
    );
    forgetRun(runId);
    await this.#undo();
    return this.#results;
  }

  /** Everything is taken back, however the drill ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#replies.stop();
    await this.#inner.dispose();
    withMemory({ accepted: this.#accepted, usedItems: this.#scratch }, () => forgetMemory(this.#environment.name));
    remove(this.#scratch, fileRoles.scratch);
    await undoQuietly(this.#environment);
  }

  async #drillOne(fault: WireFault): Promise<WireOutcome | undefined> {
    const { scenarios, lastBy, signal } = this.#options;
    const results = new Map(this.#results.map((result) => [result.title, result]));
    const healthy: Healthy = { scenarios, results };
    const chosen = candidates(fault, healthy, lastBy?.get(fault.name));
    const base = { name: fault.name, operation: fault.operation.id, kind: fault.way.kind };
    let isMet = false;
    let unjudged: string | undefined;
    for (const scenario of chosen) {
      const { result, met } = await this.#look(scenario, fault);
      if (signal?.aborted) return undefined;
      isMet ||= met;
      if (met && verdicts[result.verdict].health === 'unknown' && !isSeen(result, fault)) unjudged ??= result.reason;
      if (!met || !isSeen(result, fault) || result.verdict === results.get(scenario.title)?.verdict) continue;
      const yellow = verdicts[result.verdict].exitCode === 0 ? { isYellow: true as const } : {};
      return { ...base, became: 'caught', by: scenario.title, reason: result.verdict, ...yellow };
    }
    const missed = (became: 'unseen' | 'survived', reason: string) => ({ ...base, became, by: null, reason });
    if (unjudged !== undefined) return missed('unseen', `could not be judged: ${unjudged}`);
    if (isMet) return missed('survived', whySurvived(fault, healthy, this.#environment));
    return missed('unseen', chosen.length > 0 ? whyUnmet(fault) : whyUnseen(fault, healthy, this.#environment));
  }

  /** One scenario with the fault on its wire; afterwards all is as before. */
  async #look(scenario: Scenario, fault: WireFault) {
    const { seed, signal } = this.#options;
    const environment = forLook(this.#environment, fault, this.#results, this.#intervalMs);
    const wire = this.#wire(environment);
    wire.fault = fault;
    const transports = this.#transports(wire, () => this.#slots.turn());
    // What the healthy run learned is known; what a fault teaches is not.
    const memory = { accepted: this.#accepted, usedItems: join(this.#scratch, randomUUID()), passing: new Map() };
    const result = await withMemory(memory, () =>
      playAlone(scenario, { environment, seed, transports, ...(signal ? { signal } : {}) }),
    );
    await this.#undo();
    return { result, met: wire.met > 0 };
  }

  /** Over the healthy wire, and whatever stops the drill. */
  async #undo(): Promise<void> {
    if (this.#environment.provisionUrl) return;
    const observer = { ...silent, exchanged: () => void this.#requests++ };
    await undoLeftovers(this.#environment, { observer, runId: randomUUID() });
    // Somebody else sent requests until now.
    this.#slots = new Slots(this.#intervalMs, performance.now() + this.#intervalMs);
  }

  #wire(environment: Environment): FaultyWire {
    const learned = this.#results.flatMap(({ exchanges }) => exchanges).filter(({ tampered }) => !tampered);
    return new FaultyWire(environment, learned, this.#blanks);
  }

  #transports(wire: FaultyWire, inTurn: () => Promise<void>) {
    const sent = () => {
      this.#requests++;
      return inTurn();
    };
    return faultyTransports(wire, this.#inner, { replies: this.#replies, sent });
  }
}

/** Whether the gate isn't green any more for the fault. What is throttled is no failure, and no pass either. */
function isSeen({ verdict, exchanges }: ScenarioResult, { way }: WireFault): boolean {
  if (verdicts[verdict].detects) return true;
  return way.id === '429' && verdict === 'unknown' && exchanges.some(({ response }) => response?.status === 429);
}
