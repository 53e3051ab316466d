import { connectProblem, type HostPort, type ScenarioResult } from '../../run/index.ts';
import { verdicts } from '../../verdict/index.ts';
import type { ProbeResult } from '../status/flip.ts';
import { indicatorOf } from '../status/status.ts';

interface ProbingTools {
  /** Makes one attempt when it is the scenario's turn. `undefined` if the monitor must ignore the whole run. */
  readonly attempt: () => Promise<ScenarioResult | undefined>;
  /** The scenario is down already, so a failure needs no confirmation. */
  readonly isKnownDown: boolean;
  /** Time from the end of the first attempt to the start of the last attempt, in ms. */
  readonly confirmAfterMs: number;
  readonly wait: (ms: number) => Promise<void>;
  /** Returns how often the machine was suspended, or its clock changed, since the start. */
  readonly pauses: () => number;
  readonly whyCutOff: (since: number) => Promise<string | undefined>;
  /** The time on a monotonic clock, in ms. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/**
 * Number of further attempts after a failure. If one call in a hundred fails at random, all four attempts fail in one of 100 million runs.
 */
const CONFIRMATIONS = 3;

/**
 * Runs a scenario. If it fails, repeats it until it passes, at most CONFIRMATIONS times within `confirmAfterMs`. The result has the first
 * and the last attempt. Returns `undefined` if the monitor must ignore the run.
 */
export async function runProbe(tools: ProbingTools): Promise<ProbeResult | undefined> {
  const first = await guardedAttempt(tools);
  if (!first) return undefined;
  if (indicatorOf(first) !== 'bad' || tools.isKnownDown) return { first };
  const since = tools.now();
  let second: ScenarioResult | undefined;
  for (let done = 0; done < CONFIRMATIONS && !(second && indicatorOf(second) === 'good'); done++) {
    const start = since + (tools.confirmAfterMs * (done + 1)) / CONFIRMATIONS;
    const ms = start - tools.now();
    if (ms > 0) await tools.wait(ms);
    // The monitor is stopping before it could confirm the failure, so the run is not judged.
    if (tools.signal.aborted)
      return { first: unjudged(first, 'the monitor stopped before the failure could be confirmed') };
    const attempt = await guardedAttempt(tools);
    if (!attempt) return undefined;
    // Keep a failed attempt if a later one proves nothing. Exception: if the connection of this machine may have caused the failure, take
    // the later attempt.
    const mayBeOurs = verdicts[(second ?? first).verdict].fellShort === 'connection';
    if (indicatorOf(attempt) !== undefined || mayBeOurs) second = attempt;
  }
  return { first, ...(second ? { second } : {}) };
}

/** Makes an attempt. If it fails while the machine is suspended or offline, the result is not judged. */
async function guardedAttempt({ attempt, pauses, whyCutOff, now }: ProbingTools): Promise<ScenarioResult | undefined> {
  const before = pauses();
  const since = now();
  const result = await attempt();
  if (!result || indicatorOf(result) !== 'bad') return result;
  if (pauses() !== before) return unjudged(result, 'this machine was suspended, or its clock changed, during the run');
  const reason = verdicts[result.verdict].fellShort === 'connection' ? await whyCutOff(since) : undefined;
  return reason ? unjudged(result, reason) : result;
}

function unjudged({ grade: _, ...result }: ScenarioResult, why: string): ScenarioResult {
  return { ...result, verdict: 'unknown', reason: `the suite could not judge: ${why}` };
}

const CONNECT_MS = 5_000;

/** Finds out whether the services are down or this machine is offline, if nothing responds. */
export function connectivityOf(probe: HostPort | undefined) {
  let lastAnswerAt = Number.NEGATIVE_INFINITY;
  return {
    /** Notes that a service of any environment responded; `at` is on the monotonic clock, in ms. */
    answered: (at: number) => {
      lastAnswerAt = Math.max(lastAnswerAt, at);
    },
    /**
     * The reason if this machine is offline, so that an attempt that began at `since` and got no response proves nothing. `undefined` if
     * this machine isn't known to be offline, so that the service counts as down.
     */
    whyCutOff: async (since: number): Promise<string | undefined> => {
      if (!probe || lastAnswerAt >= since || !(await connectProblem(probe, { timeoutMs: CONNECT_MS })))
        return undefined;
      return `this machine is offline: no service responds, and CONNECTIVITY_PROBE ${probe.host}:${probe.port} can't be reached either`;
    },
  };
}
