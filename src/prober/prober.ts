import { FileTrouble } from '../environment/files/index.ts';
import { counted, type Environment } from '../environment/index.ts';
import { healthOf, NoTimeLeft, overallVerdict, type ScenarioResult } from '../run/index.ts';
import type { Verdict } from '../verdict/index.ts';
import { places } from './concurrency-limit.ts';
import type { EnvironmentStore } from './environment-store.ts';
import { LastProbes } from './last-probes.ts';
import { allowedIn, type Modules, type NamedScenario, type Refusal, unknown, whyNoneAllowed } from './modules.ts';
import { LastResults, playModule } from './play-module.ts';
import { ProbeRun, type Snapshot } from './probe-run.ts';

export interface ProbeQuestion {
  readonly target: string;
  readonly module: string;
  /** In ms. */
  readonly limitMs: number;
  /** Aborted when the client hangs up. */
  readonly gone: AbortSignal;
}

export interface QueueLimits {
  /** Runs at once. */
  readonly concurrency: number;
  /** Runs that may wait. */
  readonly waiting: number;
}

const STOPPING = 'The prober is stopping.';

class NoPlace extends Error {
  override readonly name = 'NoPlace';
}

interface Outcome {
  readonly verdict: Verdict;
  /** Absent when the suite could not judge. */
  readonly success?: boolean;
}

export interface Measured extends Snapshot {
  readonly outcome: Outcome;
}

/** Runs modules of environments on demand; questions for the same at the same time share one run. */
export class Prober {
  readonly store: EnvironmentStore;
  readonly modules: Modules;
  readonly counts = {
    /** How probes ended; `abandoned`: the client hung up first. */
    ended: { success: 0, failure: 0, unjudged: 0, abandoned: 0 },
    rejected: 0,
    joined: 0,
  };
  readonly last = new LastProbes();
  readonly #limits: QueueLimits;
  readonly #play: (run: ProbeRun) => Promise<void>;
  readonly #underWay = new Set<ProbeRun>();
  isDraining = false;

  constructor(store: EnvironmentStore, modules: Modules, limits: QueueLimits, say: (line: string) => void) {
    this.store = store;
    this.modules = modules;
    this.#limits = limits;
    const shared = { last: new LastResults(), enter: places(limits.concurrency), say };
    this.#play = (run) => playModule(run, shared);
  }

  /** Runs a module now, or returns the reason why it can't. */
  async probe(question: ProbeQuestion): Promise<Measured | Refusal> {
    const { target, module } = question;
    const served = this.store.entries.get(target)?.served;
    if (!served) return unknown('target', target, this.store.names);
    const scenarios = this.modules.find(module);
    if (!scenarios) return unknown('module', module, this.modules.names);
    if (served.state !== 'ready') return { status: served.state === 'broken' ? 500 : 403, reason: served.reason };
    const allowed = allowedIn(scenarios, served.environment);
    if (allowed.length === 0) return { status: 403, reason: whyNoneAllowed(scenarios, served) };
    try {
      const measured = await this.#measure(question, served.environment, allowed);
      this.last.add(question, measured);
      const { success } = measured.outcome;
      const judged = success === undefined ? 'unjudged' : success ? 'success' : 'failure';
      this.counts.ended[question.gone.aborted ? 'abandoned' : judged]++;
      return measured;
    } catch (error) {
      return this.#refusalOf(error, question.gone);
    }
  }

  /** Runs under way, clean-up included. */
  get running(): number {
    return this.#underWay.size - this.waiting;
  }

  /** Runs that wait for their users, or for a place. */
  get waiting(): number {
    return [...this.#underWay].filter(({ isWaiting }) => isWaiting).length;
  }

  /** Refuses new probes and those that wait; after `longestMs` those under way are stopped. Resolves when all is cleaned up. */
  async drain(longestMs: number): Promise<void> {
    this.isDraining = true;
    for (const run of this.#underWay) if (run.isWaiting) run.stop();
    const stopAll = () => {
      for (const run of this.#underWay) run.stop();
    };
    const timer = setTimeout(stopAll, longestMs);
    await Promise.allSettled([...this.#underWay].map(({ ended }) => ended));
    clearTimeout(timer);
  }

  /** Joins a run of the same that is under way, or begins one, and waits for as long as the question allows. */
  async #measure(
    { target, module, limitMs, gone }: ProbeQuestion,
    environment: Environment,
    allowed: readonly NamedScenario[],
  ): Promise<Measured> {
    if (this.isDraining) throw new NoPlace(STOPPING);
    const key = JSON.stringify([target, module]);
    const isSame = ({ isOpen, asked }: ProbeRun) => isOpen && asked.key === key && asked.environment === environment;
    const known = this.#underWay.values().find(isSame);
    if (known) this.counts.joined++;
    const { concurrency, waiting } = this.#limits;
    if (!known && this.#underWay.size >= concurrency + waiting)
      throw new NoPlace(`Overloaded: ${counted(this.running, 'run')} under way, ${this.waiting} waiting.`);
    const run = known ?? new ProbeRun({ key, environment, scenarios: allowed, limitMs }, this.#play);
    this.#underWay.add(run);
    const forget = () => void this.#underWay.delete(run);
    run.ended.then(forget, forget);
    const snapshot = await run.wait(limitMs, gone);
    if (snapshot.durationMs === undefined) throw new NoTimeLeft();
    return { ...snapshot, outcome: outcomeOfProbe(snapshot.results) };
  }

  #refusalOf(error: unknown, gone: AbortSignal): Refusal {
    if (error instanceof FileTrouble) return { status: 500, reason: error.message };
    const { name, message } = error as Error;
    // Its time was up, or its client gone, before its turn came.
    if (!['NoPlace', 'NoTimeLeft', 'AbortError'].includes(name)) throw error;
    if (gone.aborted) this.counts.ended.abandoned++;
    else this.counts.rejected++;
    const late = this.isDraining ? STOPPING : 'The time was up before this probe had its turn.';
    return { status: 503, reason: name === 'NoPlace' ? message : late };
  }
}

/**
 * The outcome of a module: it fails when one scenario shows that the service falls short; it succeeds when at least one could be judged,
 * and the time was enough for all. A scenario that is skipped for another reason counts neither way.
 */
export function outcomeOfProbe(
  results: readonly Pick<ScenarioResult, 'verdict' | 'unreached' | 'failures'>[],
): Outcome {
  const [only, ...others] = results;
  const overall = others.length === 0 && only ? only.verdict : overallVerdict(results.map(({ verdict }) => verdict));
  const healths = results.map(healthOf);
  if (healths.includes('down')) return { verdict: overall, success: false };
  const isWhole = results.every(({ verdict, unreached }) => verdict !== 'unknown' && !unreached);
  if (!isWhole) return { verdict: others.length === 0 ? overall : 'unknown' };
  return healths.includes('up') || healths.includes('degraded')
    ? { verdict: overall, success: true }
    : { verdict: overall };
}
