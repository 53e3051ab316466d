import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { recentWaits } from '../../call/index.ts';
import { definedFields, type Environment } from '../../environment/index.ts';
import type { Exchange } from '../../http/index.ts';
import { exportScenario, isNotTried, runScenario, type ScenarioResult } from '../../run/index.ts';
import {
  type CredentialKey,
  Reachability,
  RefusedCredentials,
  TurnQueue,
  type UsersRun,
  withUsers,
} from '../../safety/index.ts';
import { forgetRun, runSeed } from '../../scenario/index.ts';
import { areaIds, operations } from '../../service/index.ts';
import type { TroubleReport } from '../alerting/trouble-report.ts';
import type { RunRecorder } from '../recording/run-recorder.ts';
import { systemClock } from '../schedule/clock.ts';
import { type Job, Scheduler } from '../schedule/scheduler.ts';
import type { Settings } from '../settings/load.ts';
import { causeOf, refusedCredential } from '../status/cause.ts';
import type { Flip, ProbeResult } from '../status/flip.ts';
import { indicatorOf, statusOf } from '../status/status.ts';
import { HangingAreas, isTimedOut } from './hanging-areas.ts';
import { FailureLook } from './look.ts';
import { connectivityOf, runProbe } from './run-probe.ts';
import { mayRunEarly, type ProbeTarget } from './targets.ts';

interface ProbeLoopOptions {
  readonly targets: readonly ProbeTarget[];
  readonly recorder: RunRecorder;
  readonly settings: Pick<Settings, 'confirmAfterMs' | 'connectivityProbe' | 'everyMs'>;
  readonly trouble: TroubleReport;
  readonly say: (line: string) => void;
  readonly onRecorded: (target: ProbeTarget, observed: ProbeResult, flip: Flip | undefined) => void;
}

/** A run of a scenario: the first attempt and, after a failure, the attempts that confirm it. */
interface Run {
  readonly target: ProbeTarget;
  /** When the run began, on the monotonic clock, in ms. */
  readonly began: number;
  readonly isKnownDown: boolean;
  /** When the scenario's first attempt began, after the wait for its turn, on the monotonic clock, in ms. */
  steady?: number;
  /**
   * Set if the last attempt did not send its call, because the service refuses the credential, and only one scenario tries it again in each
   * interval: the result to record for this run.
   */
  held?: ScenarioResult | undefined;
  /** One of the run's attempts was the first to find that its area hangs. */
  hasFoundHang?: true;
  /** The last attempt of the run waited until its deadline, without a response. */
  hasWaited?: boolean;
}

/**
 * Time limit for clean-up if the scenario's last call got no response, in ms. It is short, because other scenarios wait for the same users.
 */
const SILENT_CLEAN_UP_MS = 500;

/** Runs each target when it is due, confirms failures, and records every run. */
export class ProbeLoop {
  readonly #options: ProbeLoopOptions;
  readonly #ending = new AbortController();
  readonly #signal = this.#ending.signal;
  readonly #connectivity: ReturnType<typeof connectivityOf>;
  /**
   * For each environment: the results of recent waits until a list showed a change, the addresses that can be reached, and the refused
   * credentials.
   */
  readonly #lately = new Map<string, ReturnType<typeof latelyIn>>();
  /** A queue for each area of an environment, because an area runs one scenario at a time. */
  readonly #lines = new TurnQueue();
  readonly #hanging: HangingAreas;
  readonly #look: FailureLook;
  /** When each scenario ran last, and when it last sent a request that can't be undone; both on the monotonic clock, in ms. */
  readonly #ranAt = new Map<ProbeTarget, number>();
  readonly #lastingAt = new Map<ProbeTarget, number>();
  readonly #jobs: ReadonlyMap<ProbeTarget, Job>;
  readonly #scheduler: Scheduler;

  constructor(options: ProbeLoopOptions) {
    this.#options = options;
    const { targets, recorder, settings } = options;
    this.#connectivity = connectivityOf(settings.connectivityProbe);
    const isJudged = (target: ProbeTarget) => recorder.scenarios.get(refOf(target)).standing.seen !== undefined;
    this.#hanging = new HangingAreas(targets, isJudged);
    this.#look = new FailureLook(this.#signal, this.#hanging);
    const jobs = targets.map((target) => [target, this.#jobOf(target)] as const);
    this.#jobs = new Map(jobs);
    this.#scheduler = new Scheduler(systemClock, [...this.#jobs.values()]);
  }

  start(): void {
    this.#scheduler.start();
  }

  stop(): Promise<void> {
    this.#ending.abort();
    return this.#scheduler.stop();
  }

  /**
   * Runs a scenario at once, on request. Doesn't run it, and returns `spared`, if each of its runs uses up data and it is too early for
   * another run.
   */
  async hurry(target: ProbeTarget): Promise<'hurried' | 'running' | 'spared'> {
    if (await this.#isTooEarly(target)) return 'spared';
    const job = this.#jobs.get(target);
    return job && this.#scheduler.hurry(job) ? 'hurried' : 'running';
  }

  #jobOf(target: ProbeTarget): Job {
    const run = (planned: number) =>
      this.#run(target, planned).catch((error: unknown) => {
        // If the monitor stops while the run waits for its turn, the wait throws an error. This error is no problem, so don't report it.
        if (!this.#signal.aborted) this.#options.trouble.add(error);
        return undefined;
      });
    return { intervalMs: target.intervalMs, run };
  }

  async #run(target: ProbeTarget, planned: number): Promise<number | undefined> {
    const { recorder, settings } = this.#options;
    const { environment } = target;
    const everyMs = environment.monitoring.everyMs ?? settings.everyMs;
    if (await this.#isTooEarly(target)) return everyMs;
    const began = systemClock.steady();
    this.#ranAt.set(target, began);
    const isKnownDown = statusOf(recorder.scenarios.get(refOf(target)).standing) === 'down';
    const run: Run = { target, began, isKnownDown };
    const attempted = await runProbe({
      attempt: () => this.#attempt(run),
      isKnownDown,
      confirmAfterMs: settings.confirmAfterMs,
      wait: (ms) => this.#wait(ms),
      pauses: () => this.#scheduler.pauses,
      // A loopback address can be reached even if this machine is offline.
      whyCutOff: async (since) => (environment.isLoopback ? undefined : this.#connectivity.whyCutOff(since)),
      now: () => systemClock.steady(),
      signal: this.#signal,
    });
    if (this.#signal.aborted) return undefined;
    if (!attempted) return target.isRare ? everyMs : undefined;
    // If `held` is set, another scenario tries the refused credential. Nobody has confirmed the failure of this scenario, so record `held`
    // instead of the failure.
    const { held } = run;
    const isToRepeat = await this.#record(run, held ? { first: held } : attempted, planned);
    return isToRepeat || held ? everyMs : undefined;
  }

  /** Finds the cause of a failure, and records the run. Returns whether the scenario must run again before the end of its interval. */
  async #record(run: Run, probed: ProbeResult, planned: number): Promise<boolean> {
    const { target, isKnownDown, held, steady = systemClock.steady() } = run;
    const { recorder, trouble, onRecorded } = this.#options;
    const { environment, intervalMs, scenario } = target;
    const { refused } = this.#shared(environment);
    const last = probed.second ?? probed.first;
    const isBad = indicatorOf(last) === 'bad';
    const alike = isBad && !isKnownDown ? await this.#look.alike(last, environment) : undefined;
    // If the scenario is already down, keep the cause of its first failure.
    const cause = isKnownDown ? recorder.incidents.of(refOf(target))?.cause : causeOf(last, environment, alike);
    const isCredential = isBad && cause?.kind === 'credential' && refusedCredential(last) === cause.name;
    if (isCredential) refused.accept(cause.name as CredentialKey, alike?.working ?? []);
    else if (!held) refused.leave(scenario.title);
    const observed = { ...probed, ...definedFields({ alike }) };
    const flip = recorder.record({ environment, observed, planned, intervalMs, steady }, systemClock.wall());
    trouble.clear();
    onRecorded(target, observed, flip);
    return isCredential || (target.isRare && isBad);
  }

  /** Whether it is too early to run a scenario again after a failure, because each of its runs uses up data. */
  async #isTooEarly(target: ProbeTarget): Promise<boolean> {
    const sinceMs = (at = Number.NEGATIVE_INFINITY) => systemClock.steady() - at;
    const cause = this.#options.recorder.incidents.of(refOf(target))?.cause;
    const may = mayRunEarly(target, sinceMs(this.#ranAt.get(target)), sinceMs(this.#lastingAt.get(target)), cause);
    return may === 'if back' ? !cause || !(await this.#look.isBack(cause, target)) : may === 'no';
  }

  /** Makes an attempt when it is the scenario's turn. Returns `undefined` if another scenario confirms that the area hangs. */
  async #attempt(run: Run): Promise<ScenarioResult | undefined> {
    const { target } = run;
    if (run.hasFoundHang && (await this.#hanging.isLeftToAnother(target, (ms) => this.#wait(ms)))) return undefined;
    return this.#inTurn(run, async (users) => {
      run.steady ??= systemClock.steady();
      const result = await this.#play(run, users);
      const isHeld = result?.failures?.[0]?.refused && isNotTried(result);
      const { refused } = this.#shared(target.environment);
      run.held = isHeld && !refused.isTriedBy(target.scenario.title) ? heldResult(result) : undefined;
      return run.held ?? result;
    });
  }

  /**
   * Runs `work` when it is its turn. Each area of an environment runs one scenario at a time.
   * A scenario that changes something first waits for its users, and only then for its area. In the meantime, scenarios that only read can
   * use the area.
   * The run that began first goes first. So one scenario can confirm a failure before other scenarios meet the same failure and take as
   * long.
   * A run whose last attempt waited until the deadline lets scenarios of other areas go first.
   */
  async #inTurn<T>({ target, began, hasWaited }: Run, work: (users?: UsersRun) => Promise<T>): Promise<T> {
    const { environment, area, effect } = target;
    const asked = systemClock.steady();
    const isShort = () => this.#hanging.limitMs(target) !== undefined;
    const since = () => (isShort() ? Number.POSITIVE_INFINITY : hasWaited ? asked : began);
    const keys = () => (isShort() ? [] : [`${environment.name} ${area}`]);
    const inLine = async (users?: UsersRun) => {
      const leave = await this.#lines.enter({ keys, since }, this.#signal);
      return work(users).finally(leave);
    };
    if (effect === 'read') return inLine();
    const areas = area === 'all' ? areaIds : [area];
    return withUsers(environment, { ...this.#shared(environment), since, areas }, inLine);
  }

  /** Makes one attempt. Returns `undefined` if a short limit cut off a call to a hanging area, because such a call proves nothing. */
  async #play(run: Run, users: UsersRun | undefined): Promise<ScenarioResult | undefined> {
    const { target } = run;
    const { environment, scenario } = target;
    const shared = this.#shared(environment);
    const known = run.isKnownDown ? this.#options.recorder.incidents.of(refOf(target))?.cause.kind : 'credential';
    const [runId, began] = [randomUUID(), systemClock.steady()];
    const longestCallMs = this.#hanging.limitMs(target);
    const result = await runScenario(scenario, {
      ...shared,
      ...{ environment, users, runId, longestCallMs, silentCleanUpMs: SILENT_CLEAN_UP_MS },
      // If the scenario is already down for another cause, and this attempt meets a refused credential, other scenarios must not wait for
      // this scenario to try the credential.
      guard: shared.refused.guard(scenario.title, known === 'credential'),
      seed: `${runSeed()} ${randomUUID()}`,
    });
    forgetRun(runId);
    exportScenario(environment, result);
    const ended = systemClock.steady();
    if (leavesSomething(result.exchanges)) this.#lastingAt.set(target, ended);
    if (result.exchanges.some(({ response }) => response)) this.#connectivity.answered(ended);
    run.hasWaited = isTimedOut(result);
    if (this.#hanging.note({ target, result, began, ended }, !run.hasFoundHang)) this.#begunHang(run);
    return longestCallMs !== undefined && run.hasWaited ? undefined : result;
  }

  #begunHang(run: Run): void {
    run.hasFoundHang = true;
    const other = run.isKnownDown ? undefined : this.#hanging.toRunAtOnce(run.target);
    const job = other && this.#jobs.get(other);
    if (job) this.#scheduler.hurry(job);
  }

  /** The options that all runs in an environment share. */
  #shared(environment: Environment) {
    const { name } = environment;
    const lately = this.#lately.get(name) ?? latelyIn(environment);
    this.#lately.set(name, lately);
    return { signal: this.#signal, say: this.#options.say, ...lately };
  }

  #wait(ms: number): Promise<void> {
    return wait(ms, undefined, { signal: this.#signal }).catch(() => {});
  }
}

function latelyIn(environment: Environment) {
  return {
    awaitedChanges: recentWaits(),
    reach: Reachability.ofProcess(environment),
    refused: new RefusedCredentials(environment),
  };
}

/** The result to record for a run that did not send its call, because another scenario tries the refused credential. */
function heldResult({ grade: _, curl: __, ...result }: ScenarioResult): ScenarioResult {
  const key = refusedCredential(result);
  const reason = `the suite could not judge: ${key} is refused (401), so only one scenario tries it in each interval`;
  return { ...result, verdict: 'unknown', reason };
}

/** Whether the scenario sent a request that can't be undone. */
function leavesSomething(exchanges: readonly Exchange[]): boolean {
  return exchanges.some(({ operation: name }) => {
    const sent = Object.entries(operations).find(([id]) => id === name)?.[1];
    return sent && (sent.effect === 'irreversible' || (sent.effect === 'overwriting' && !('restoredBy' in sent)));
  });
}

function refOf({ environment, scenario }: ProbeTarget) {
  return { environment: environment.name, title: scenario.title };
}
