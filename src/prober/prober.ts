import { type Verdict, verdicts } from '../client/index.ts';
import { FileTrouble } from '../config/files/index.ts';
import type { Environment } from '../config/index.ts';
import { areasHeldBy, isDivisible, usersOf } from '../engine/safety/index.ts';
import { NoTimeLeft, overallVerdict, type ScenarioResult } from '../runner/index.ts';
import type { EnvironmentStore } from './environment-store.ts';
import {
  allowedIn,
  areasOf,
  type Modules,
  type NamedScenario,
  type Refusal,
  unknown,
  whyNoneAllowed,
} from './modules.ts';
import { LastResults, playModule } from './play-module.ts';
import { NoPlace, type ProbeQueue, probeQueue, type QueueLimits } from './probe-queue.ts';
import { ProbeRun, type Snapshot } from './probe-run.ts';

export interface ProbeQuestion {
  readonly target: string;
  readonly module: string;
  /** In ms. */
  readonly limitMs: number;
  /** Aborted when the client hangs up. */
  readonly gone: AbortSignal;
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
  readonly queue: ProbeQueue;
  readonly counts = {
    /** How probes ended; `abandoned`: the client hung up first. */
    ended: { success: 0, failure: 0, unjudged: 0, abandoned: 0 },
    rejected: 0,
    joined: 0,
  };
  readonly #say: (line: string) => void;
  readonly #underWay = new Set<ProbeRun>();
  readonly #last = new LastResults();
  isDraining = false;

  constructor(store: EnvironmentStore, modules: Modules, limits: QueueLimits, say: (line: string) => void) {
    this.store = store;
    this.modules = modules;
    this.queue = probeQueue(limits);
    this.#say = say;
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
      const { success } = measured.outcome;
      const judged = success === undefined ? 'unjudged' : success ? 'success' : 'failure';
      this.counts.ended[question.gone.aborted ? 'abandoned' : judged]++;
      return measured;
    } catch (error) {
      return this.#refusalOf(error, question.gone);
    }
  }

  /** Refuses new probes and those that wait; after `longestMs` those under way are stopped. Resolves when all is cleaned up. */
  async drain(longestMs: number): Promise<void> {
    this.isDraining = true;
    this.queue.close();
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
    const key = JSON.stringify([target, module]);
    const isSame = ({ isOpen, asked }: ProbeRun) => isOpen && asked.key === key && asked.environment === environment;
    const known = this.#underWay.values().find(isSame);
    if (known) this.counts.joined++;
    const run = known ?? new ProbeRun({ key, environment, scenarios: allowed, limitMs }, (one) => this.#play(one));
    this.#underWay.add(run);
    const forget = () => void this.#underWay.delete(run);
    run.ended.then(forget, forget);
    const snapshot = await run.wait(limitMs, gone);
    if (snapshot.durationMs === undefined) throw new NoTimeLeft();
    return { ...snapshot, outcome: outcomeOf(snapshot.results) };
  }

  /** Plays, when the users are free, what the last results don't stand for. */
  async #play(run: ProbeRun): Promise<void> {
    const { environment, scenarios } = run.asked;
    const users = usersOf(environment);
    const held = isDivisible(environment) ? [] : areasHeldBy(areasOf(scenarios));
    const leave = await this.queue.enter(
      held.map((area) => `${users} ${area}`),
      run.signal,
    );
    try {
      const due: NamedScenario[] = [];
      for (const each of scenarios) {
        const standing = this.#last.standingFor(each, environment, Date.now());
        if (standing) run.add(standing);
        else due.push(each);
      }
      if (due.length === 0) return run.begin();
      await playModule(run, due, this.#last, this.#say);
    } finally {
      leave();
    }
  }

  #refusalOf(error: unknown, gone: AbortSignal): Refusal {
    if (error instanceof FileTrouble) return { status: 500, reason: error.message };
    const { name, message } = error as Error;
    if (error instanceof NoPlace) {
      this.counts.rejected++;
      return { status: 503, reason: `Overloaded: ${message}.` };
    }
    // Its time was up, or its client gone, before its turn came.
    if (!['NoTimeLeft', 'AbortError'].includes(name)) throw error;
    if (gone.aborted) this.counts.ended.abandoned++;
    else this.counts.rejected++;
    return { status: 503, reason: 'The time was up before this probe had its turn.' };
  }
}

/**
 * The outcome of a module: it fails when one scenario shows that the service falls short; it succeeds when at least one could be judged,
 * and the time was enough for all. A scenario that is skipped for another reason counts neither way.
 */
export function outcomeOf(results: readonly Pick<ScenarioResult, 'verdict' | 'unreached'>[]): Outcome {
  const [only, ...others] = results;
  const overall = others.length === 0 && only ? only.verdict : overallVerdict(results.map(({ verdict }) => verdict));
  if (results.some(({ verdict }) => verdicts[verdict].health === 'down')) return { verdict: overall, success: false };
  const isWhole = results.every(({ verdict, unreached }) => verdict !== 'unknown' && !unreached);
  if (!isWhole) return { verdict: others.length === 0 ? overall : 'unknown' };
  return verdicts[overall].ran && verdicts[overall].health !== 'unknown'
    ? { verdict: overall, success: true }
    : { verdict: overall };
}
