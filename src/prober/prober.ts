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
  /** Time limit of the probe, in ms. */
  readonly limitMs: number;
  /** Aborted when the client hangs up. */
  readonly gone: AbortSignal;
}

export interface QueueLimits {
  /** Maximum number of runs in progress at the same time. */
  readonly concurrency: number;
  /** Maximum number of runs that wait for their turn. Runs in progress are not counted. */
  readonly waiting: number;
}

const STOPPING = 'The prober is stopping.';

class NoPlace extends Error {
  override readonly name = 'NoPlace';
}

interface Outcome {
  readonly verdict: Verdict;
  /** Absent if the probe could not be judged. */
  readonly success?: boolean;
}

export interface Measured extends Snapshot {
  readonly outcome: Outcome;
}

/** Runs modules of environments on demand. Probes that ask for the same module and environment at the same time share one run. */
export class Prober {
  readonly store: EnvironmentStore;
  readonly modules: Modules;
  readonly counts = {
    /** Number of probes by their result. `abandoned`: the client hung up before the result. */
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

  /** Runs a module, or returns why the probe is refused. */
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

  /** Number of runs in progress, including those in clean-up. */
  get running(): number {
    return this.#underWay.size - this.waiting;
  }

  /** Number of runs that wait for the lock of their test users, or for another run to end. */
  get waiting(): number {
    return [...this.#underWay].filter(({ isWaiting }) => isWaiting).length;
  }

  /** Refuses new and waiting probes, and stops the runs in progress after `longestMs`. Resolves when all runs have cleaned up. */
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

  /**
   * Joins a run of the same module that is in progress, or begins a new run. Waits for its end, but no longer than the probe's time limit.
   */
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
    // With these errors, the probe has no result: there was no place for its run, its time was up before the run began, or its client was
    // gone.
    if (!['NoPlace', 'NoTimeLeft', 'AbortError'].includes(name)) throw error;
    if (gone.aborted) this.counts.ended.abandoned++;
    else this.counts.rejected++;
    const late = this.isDraining ? STOPPING : 'The time was up before this probe had its turn.';
    return { status: 503, reason: name === 'NoPlace' ? message : late };
  }
}

/**
 * The outcome of a module. It is a failure if a scenario shows that the service is down.
 * Otherwise it is a success if the service works in at least one scenario, no scenario is `unknown`, and the time was enough for all of
 * them. Scenarios that were skipped for another reason than time make no difference.
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
