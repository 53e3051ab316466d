import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type AwaitedChanges, recentWaits } from '../../call/index.ts';
import { definedFields, type Environment } from '../../environment/index.ts';
import type { Exchange } from '../../http/index.ts';
import { exportScenario, runScenario, type ScenarioResult } from '../../run/index.ts';
import { TurnQueue, withUsers } from '../../safety/index.ts';
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
import { type Instead, refusedCredentials } from './refused-credentials.ts';
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

/** A run of a scenario: all of its attempts. */
interface Run {
  readonly target: ProbeTarget;
  /** By the steady clock, in ms. */
  readonly began: number;
  readonly isKnownDown: boolean;
  /** When its first attempt had its turn. */
  steady?: number;
  /** The result that counts in place of the last attempt, because the service refuses a credential. */
  instead?: Instead | undefined;
  /** An attempt of it found that its area hangs. */
  hasFoundHang?: true;
  /** Its last attempt waited for a response until the deadline. */
  hasWaited?: boolean;
}

/** The longest for the clean-up of a scenario whose last call had no response, in ms: others wait for its users. */
const SILENT_CLEAN_UP_MS = 500;

/** Runs each target when it is due, confirms failures, and records every run. */
export class ProbeLoop {
  readonly #options: ProbeLoopOptions;
  readonly #ending = new AbortController();
  readonly #signal = this.#ending.signal;
  readonly #connectivity: ReturnType<typeof connectivityOf>;
  readonly #silentAddresses = new Set<string>();
  /** How waits for lists ended lately, by environment: while a failure is being confirmed, each attempt would wait several times. */
  readonly #waits = new Map<string, AwaitedChanges>();
  /** Of each area of an environment. */
  readonly #lines = new TurnQueue();
  readonly #hanging: HangingAreas;
  readonly #look: FailureLook;
  readonly #credentials = refusedCredentials(({ tries, result }) => this.#look.isRefused(result, tries.environment));
  /** When each ran last, and when a run of it last sent something that can't be undone; by the steady clock, in ms. */
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

  #jobOf(target: ProbeTarget): Job {
    const run = (planned: number) =>
      this.#run(target, planned).catch((error: unknown) => {
        // The monitor stopped while it waited for its turn.
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
      // A loopback address needs no network.
      whyCutOff: async (since) => (environment.isLoopback ? undefined : this.#connectivity.whyCutOff(since)),
      now: () => systemClock.steady(),
      signal: this.#signal,
    });
    if (this.#signal.aborted) return undefined;
    if (!attempted) return target.isRare ? everyMs : undefined;
    // A failure that was not confirmed, because the credential was withheld, does not count.
    const { instead } = run;
    const isHeld = instead?.held !== undefined;
    const isToRepeat = await this.#record(run, isHeld ? { first: instead.result } : attempted, planned);
    return isToRepeat || isHeld ? everyMs : undefined;
  }

  /** Finds the cause of a failure, and records the run. Returns whether it must be repeated before its interval has passed. */
  async #record(run: Run, probed: ProbeResult, planned: number): Promise<boolean> {
    const { target, isKnownDown, instead, steady = systemClock.steady() } = run;
    const { recorder, trouble, onRecorded } = this.#options;
    const { environment, intervalMs } = target;
    const held = instead?.held;
    const last = probed.second ?? probed.first;
    const isBad = indicatorOf(last) === 'bad';
    const alike = isBad && !isKnownDown ? await this.#look.alike(last, environment) : undefined;
    // A scenario that is already down keeps the cause that was found first.
    const cause = isKnownDown ? recorder.incidents.of(refOf(target))?.cause : causeOf(last, environment, alike);
    const isCredential = isBad && cause?.kind === 'credential' && refusedCredential(last) === cause.name;
    if (isCredential) this.#credentials.suspect(target, last, alike?.working);
    else if (!held) this.#credentials.clear(target);
    const observed = { ...probed, ...definedFields({ alike, held }) };
    const flip = recorder.record({ environment, observed, planned, intervalMs, steady }, systemClock.wall());
    trouble.clear();
    onRecorded(target, observed, flip);
    return isCredential || (target.isRare && isBad);
  }

  /** Whether a scenario that spares data, and failed, must wait for longer. */
  async #isTooEarly(target: ProbeTarget): Promise<boolean> {
    const sinceMs = (at = Number.NEGATIVE_INFINITY) => systemClock.steady() - at;
    const cause = this.#options.recorder.incidents.of(refOf(target))?.cause;
    const may = mayRunEarly(target, sinceMs(this.#ranAt.get(target)), sinceMs(this.#lastingAt.get(target)), cause);
    return may === 'if back' ? !cause || !(await this.#look.isBack(cause, target)) : !may;
  }

  /** An attempt in its turn, unless it would send a refused credential; `undefined`: another scenario confirms that the area hangs. */
  async #attempt(run: Run): Promise<ScenarioResult | undefined> {
    const { target } = run;
    const credentials = this.#credentials;
    if (run.hasFoundHang && (await this.#hanging.isLeftToAnother(target, (ms) => this.#wait(ms)))) return undefined;
    // A run that takes the users also undoes what an earlier run left behind: that would send the refused credential.
    const startedAt = systemClock.wall();
    run.instead = credentials.held(target, startedAt) ?? (await credentials.tried(target, startedAt));
    if (run.instead) {
      run.steady ??= systemClock.steady();
      return run.instead.result;
    }
    return this.#inTurn(run, async () => {
      run.steady ??= systemClock.steady();
      // While this scenario waited for its turn, the credential may have been refused to another one.
      run.instead = credentials.held(target, systemClock.wall());
      if (run.instead) return run.instead.result;
      const result = await this.#play(run);
      if (result && !run.isKnownDown) credentials.suspect(target, result);
      return result;
    });
  }

  /**
   * Each area of an environment has one scenario at a time. One that changes something waits for the users first, and only then for its area, so that
   * scenarios that only read continue meanwhile. They go in the order in which their runs began: a failure is confirmed before other scenarios meet it,
   * which would take as long for each of them. Whoever is kept waiting by its area lets the scenarios of other areas go first.
   */
  async #inTurn<T>({ target, began, hasWaited }: Run, work: () => Promise<T>): Promise<T> {
    const { environment, area, effect } = target;
    const asked = systemClock.steady();
    const isShort = () => this.#hanging.limitMs(target) !== undefined;
    const since = () => (isShort() ? Number.POSITIVE_INFINITY : hasWaited ? asked : began);
    const keys = () => (isShort() ? [] : [`${environment.name} ${area}`]);
    const inLine = async () => {
      const leave = await this.#lines.enter({ keys, since }, this.#signal);
      return work().finally(leave);
    };
    if (effect === 'read') return inLine();
    const areas = area === 'all' ? areaIds : [area];
    return withUsers(environment, { ...this.#shared(environment), since, areas }, inLine);
  }

  /** Plays the scenario; `undefined` if its area hangs, and a call did not get its whole time. */
  async #play(run: Run): Promise<ScenarioResult | undefined> {
    const { target } = run;
    const { environment, scenario } = target;
    const [runId, began] = [randomUUID(), systemClock.steady()];
    const longestCallMs = this.#hanging.limitMs(target);
    const result = await runScenario(scenario, {
      ...this.#shared(environment),
      ...{ environment, runId, longestCallMs, silentCleanUpMs: SILENT_CLEAN_UP_MS },
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
  #shared({ name }: Environment) {
    const awaitedChanges = this.#waits.get(name) ?? recentWaits();
    this.#waits.set(name, awaitedChanges);
    const [signal, silentAddresses] = [this.#signal, this.#silentAddresses];
    return { signal, silentAddresses, say: this.#options.say, awaitedChanges };
  }

  #wait(ms: number): Promise<void> {
    return wait(ms, undefined, { signal: this.#signal }).catch(() => {});
  }
}

/** Whether something of what was sent can't be undone. */
function leavesSomething(exchanges: readonly Exchange[]): boolean {
  return exchanges.some(({ operation: name }) => {
    const sent = Object.entries(operations).find(([id]) => id === name)?.[1];
    return sent && (sent.effect === 'irreversible' || (sent.effect === 'overwriting' && !('restoredBy' in sent)));
  });
}

function refOf({ environment, scenario }: ProbeTarget) {
  return { environment: environment.name, title: scenario.title };
}
