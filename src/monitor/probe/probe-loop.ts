import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { verdicts } from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import { hostFailureOf, provisionerFallback, runScenario } from '../../runner/index.ts';
import { forgetRun, isDivisible, runSeed, usersOf } from '../../scenario/index.ts';
import type { TroubleReport } from '../alerting/trouble-report.ts';
import type { RunRecorder } from '../recording/run-recorder.ts';
import type { RunWriter } from '../recording/run-writer.ts';
import { systemClock } from '../schedule/clock.ts';
import { Scheduler } from '../schedule/scheduler.ts';
import type { Settings } from '../settings/load.ts';
import type { Flip, ProbeResult } from '../status/flip.ts';
import { statusOf } from '../status/status.ts';
import { failingAlike, recentLooks } from './failing-alike.ts';
import { connectivityOf, runProbe } from './run-probe.ts';
import type { ProbeTarget } from './targets.ts';

interface ProbeLoopOptions {
  readonly targets: readonly ProbeTarget[];
  readonly recorder: RunRecorder;
  readonly settings: Pick<Settings, 'confirmAfterMs' | 'connectivityProbe' | 'everyMs'>;
  readonly trouble: TroubleReport;
  readonly writer: RunWriter;
  readonly onRecorded: (target: ProbeTarget, observed: ProbeResult, flip: Flip | undefined) => void;
}

/** Runs each target when it is due, confirms failures, and records every run. */
export function probeLoop({ targets, recorder, settings, trouble, writer, onRecorded }: ProbeLoopOptions) {
  const environments = [...new Set(targets.map(({ environment }) => environment))];
  const connectivity = connectivityOf(settings.connectivityProbe);
  const look = recentLooks();
  const inTurn = turns();
  const ending = new AbortController();
  const { signal } = ending;
  const jobs = targets.map((target) => ({
    intervalMs: target.intervalMs,
    run: (planned: number) =>
      run(target, planned).catch((error: unknown) => {
        trouble.add(error);
        return undefined;
      }),
    dropped: (counts: { skipped: number; missed: number }) => writer.drop({ scenario: refOf(target), ...counts }),
  }));
  const scheduler = new Scheduler(systemClock, jobs);

  async function run(target: ProbeTarget, planned: number): Promise<number | undefined> {
    const { environment, intervalMs } = target;
    const isKnownDown = statusOf(recorder.scenarios.get(refOf(target)).standing) === 'down';
    const probed = await runProbe({
      attempt: () => inTurn(target, () => attempt(target)),
      isKnownDown,
      confirmAfterMs: settings.confirmAfterMs,
      wait: (ms) => wait(ms, undefined, { signal }).catch(() => {}),
      pauses: () => scheduler.pauses,
      // A loopback address needs no network.
      whyCutOff: async (since) => (environment.isLoopback ? undefined : connectivity.whyCutOff(since)),
      now: () => systemClock.mono(),
      signal,
    });
    if (signal.aborted) return undefined;
    const last = probed.second ?? probed.first;
    const isOutage = !isKnownDown && verdicts[last.verdict].fellShort === 'connection';
    const alike = isOutage ? await failingAlike(last, environment, others(environment), look) : undefined;
    const observed = alike ? { ...probed, alike } : probed;
    const flip = await writer.write({ environment, observed, planned, intervalMs });
    trouble.clear();
    onRecorded(target, observed, flip);
    // What is run rarely to spare data spares none while nothing can be sent, and its recovery must not wait for an hour.
    return target.isRare && hostFailureOf(last) ? (environment.monitoring.everyMs ?? settings.everyMs) : undefined;
  }

  async function attempt({ environment, scenario }: ProbeTarget) {
    const runId = randomUUID();
    const seed = `${runSeed()} ${randomUUID()}`;
    const result = await runScenario(scenario, { environment, seed, runId, signal });
    forgetRun(runId);
    if (result.exchanges.some(({ response }) => response)) connectivity.answered(systemClock.mono());
    return provisionerFallback(result, environment);
  }

  /** Environments that may be on the same host; what is in maintenance stands for no other. */
  function others(environment: Environment): Environment[] {
    const now = systemClock.wall();
    const isQuiet = ({ name }: Environment) => recorder.calendar.isQuiet(name, now);
    return isQuiet(environment) ? [] : environments.filter((one) => one !== environment && !isQuiet(one));
  }

  return {
    start: () => scheduler.start(),
    stop: () => {
      ending.abort();
      writer.end();
      return scheduler.stop();
    },
  };
}

/**
 * Runs `work` when nobody else runs in its area of its environment, nor, if it changes anything, as the same users of the same service
 * in another environment: one would see the other's changes as faults of the service.
 */
function turns() {
  /** The last run in each queue. */
  const last = new Map<string, Promise<unknown>>();
  const queued = <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const turn = (last.get(name) ?? Promise.resolve()).then(work);
    const ended = turn.catch(() => {});
    last.set(name, ended);
    return turn;
  };
  return <T>({ environment, area, effect }: ProbeTarget, work: () => Promise<T>): Promise<T> => {
    const own = `${environment.name} ${area}`;
    if (effect === 'read' || isDivisible(environment)) return queued(own, work);
    return queued(own, () => queued(`${usersOf(environment)} ${area}`, work));
  };
}

function refOf({ environment, scenario }: ProbeTarget) {
  return { environment: environment.name, title: scenario.title };
}
