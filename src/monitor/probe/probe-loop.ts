import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { present } from '../../environment/index.ts';
import type { Exchange } from '../../http/index.ts';
import { provisionerFallback, runScenario, type ScenarioResult } from '../../run/index.ts';
import { forgetRun, runSeed } from '../../scenario/index.ts';
import { operations } from '../../service/index.ts';
import type { TroubleReport } from '../alerting/trouble-report.ts';
import type { RunRecorder } from '../recording/run-recorder.ts';
import { systemClock } from '../schedule/clock.ts';
import { Scheduler } from '../schedule/scheduler.ts';
import type { Settings } from '../settings/load.ts';
import { causeOf, refusedCredential } from '../status/cause.ts';
import type { Flip, ProbeResult } from '../status/flip.ts';
import { indicatorOf, statusOf } from '../status/status.ts';
import { looksAt } from './look.ts';
import { recentUndos } from './recent-undos.ts';
import { refusedCredentials } from './refused-credentials.ts';
import { connectivityOf, runProbe } from './run-probe.ts';
import { mayRunEarly, type ProbeTarget } from './targets.ts';
import { turns } from './turns.ts';

interface ProbeLoopOptions {
  readonly targets: readonly ProbeTarget[];
  readonly recorder: RunRecorder;
  readonly settings: Pick<Settings, 'confirmAfterMs' | 'connectivityProbe' | 'everyMs'>;
  readonly trouble: TroubleReport;
  readonly say: (line: string) => void;
  readonly onRecorded: (target: ProbeTarget, observed: ProbeResult, flip: Flip | undefined) => void;
}

/** Runs each target when it is due, confirms failures, and records every run. */
export function probeLoop({ targets, recorder, settings, trouble, say, onRecorded }: ProbeLoopOptions) {
  const connectivity = connectivityOf(settings.connectivityProbe);
  const ending = new AbortController();
  const { signal } = ending;
  const silentAddresses = new Set<string>();
  const undosOf = recentUndos(() => systemClock.steady());
  const inTurn = turns({ signal, say, silentAddresses }, undosOf);
  const look = looksAt({ signal });
  const credentials = refusedCredentials(({ tries, result }) => look.isRefused(result, tries.environment));
  /** When each ran last, and when a run of it last sent something that can't be undone; by the steady clock, in ms. */
  const ranAt = new Map<ProbeTarget, number>();
  const lastingAt = new Map<ProbeTarget, number>();
  const jobs = targets.map((target) => ({
    intervalMs: target.intervalMs,
    run: (planned: number) =>
      run(target, planned).catch((error: unknown) => {
        // The monitor stopped while it waited for the users.
        if (!signal.aborted) trouble.add(error);
        return undefined;
      }),
  }));
  const scheduler = new Scheduler(systemClock, jobs);

  async function run(target: ProbeTarget, planned: number): Promise<number | undefined> {
    const { environment, intervalMs } = target;
    const everyMs = environment.monitoring.everyMs ?? settings.everyMs;
    if (await isTooEarly(target)) return everyMs;
    const began = systemClock.steady();
    ranAt.set(target, began);
    const isKnownDown = statusOf(recorder.scenarios.get(refOf(target)).standing) === 'down';
    let steady: number | undefined;
    let instead: Awaited<ReturnType<typeof credentials.tried>>;
    const attempted = await runProbe({
      attempt: async () => {
        // A run that takes the users also undoes what an earlier run left behind: that would send the refused credential.
        const startedAt = systemClock.wall();
        instead = credentials.held(target, startedAt) ?? (await credentials.tried(target, startedAt));
        steady ??= instead && systemClock.steady();
        if (instead) return instead.result;
        return inTurn(target, began, async (): Promise<ScenarioResult> => {
          steady ??= systemClock.steady();
          // While this scenario waited for its turn, the credential may have been refused to another one.
          instead = credentials.held(target, systemClock.wall());
          if (instead) return instead.result;
          const result = await attempt(target);
          if (!isKnownDown) credentials.suspect(target, result);
          return result;
        });
      },
      isKnownDown,
      confirmAfterMs: settings.confirmAfterMs,
      wait: (ms) => wait(ms, undefined, { signal }).catch(() => {}),
      pauses: () => scheduler.pauses,
      // A loopback address needs no network.
      whyCutOff: async (since) => (environment.isLoopback ? undefined : connectivity.whyCutOff(since)),
      now: () => systemClock.steady(),
      signal,
    });
    if (signal.aborted) return undefined;
    // A failure that was not confirmed, because the credential was withheld, does not count.
    const { held } = instead ?? {};
    const probed = instead && held ? { first: instead.result } : attempted;
    const last = probed.second ?? probed.first;
    const isBad = indicatorOf(last) === 'bad';
    const alike = isBad && !isKnownDown ? await look.alike(last, environment) : undefined;
    // A scenario that is already down keeps the cause that was found first.
    const cause = isKnownDown ? recorder.incidents.of(refOf(target))?.cause : causeOf(last, environment, alike);
    const isCredential = isBad && cause?.kind === 'credential' && refusedCredential(last, environment) === cause.name;
    if (isCredential) credentials.suspect(target, last, alike?.working);
    else if (!held) credentials.clear(target);
    const observed = { ...probed, ...present({ alike, held }) };
    const finished = { environment, observed, planned, intervalMs, steady: steady ?? systemClock.steady() };
    const flip = recorder.record(finished, systemClock.wall());
    trouble.clear();
    onRecorded(target, observed, flip);
    return isCredential || held || (target.isRare && isBad) ? everyMs : undefined;
  }

  /** Whether a scenario that spares data, and failed, must wait for longer. */
  async function isTooEarly(target: ProbeTarget): Promise<boolean> {
    const sinceMs = (at = Number.NEGATIVE_INFINITY) => systemClock.steady() - at;
    const cause = recorder.incidents.of(refOf(target))?.cause;
    const may = mayRunEarly(target, sinceMs(ranAt.get(target)), sinceMs(lastingAt.get(target)), cause);
    return may === 'if back' ? !cause || !(await look.isBack(cause, target)) : !may;
  }

  async function attempt(target: ProbeTarget) {
    const { environment, scenario } = target;
    const runId = randomUUID();
    const seed = `${runSeed()} ${randomUUID()}`;
    const awaitedUndos = undosOf(environment.name);
    const result = await runScenario(scenario, { environment, seed, runId, signal, silentAddresses, awaitedUndos });
    forgetRun(runId);
    if (leavesSomething(result.exchanges)) lastingAt.set(target, systemClock.steady());
    if (result.exchanges.some(({ response }) => response)) connectivity.answered(systemClock.steady());
    return provisionerFallback(result, environment);
  }

  return {
    start: () => scheduler.start(),
    stop: () => {
      ending.abort();
      return scheduler.stop();
    },
  };
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
