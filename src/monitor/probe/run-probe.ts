import { connectProblem, type HostPort, type ScenarioResult } from '../../run/index.ts';
import { verdicts } from '../../verdict/index.ts';
import type { ProbeResult } from '../status/flip.ts';
import { indicatorOf } from '../status/status.ts';

interface ProbingTools {
  /** Makes one attempt when it is the scenario's turn; `undefined` if neither this attempt nor the whole run counts. */
  readonly attempt: () => Promise<ScenarioResult | undefined>;
  /** The scenario is down already, so a failure needs no confirmation. */
  readonly isKnownDown: boolean;
  /** Time from the end of the first attempt to the start of the last, in ms. */
  readonly confirmAfterMs: number;
  readonly wait: (ms: number) => Promise<void>;
  /** How often so far the machine was suspended or its clock was changed. */
  readonly pauses: () => number;
  readonly whyCutOff: (since: number) => Promise<string | undefined>;
  /** The time on a monotonic clock, in ms. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** How many further attempts follow a failure. If one call in a hundred fails at random, all four attempts fail in one run in 100 million. */
const CONFIRMATIONS = 3;

/**
 * Runs a scenario. If it fails, runs it again until it passes, spread over `confirmAfterMs`; only the last failure counts. `undefined` if the run
 * does not count.
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
    // The monitor is stopping: an unconfirmed failure doesn't count.
    if (tools.signal.aborted)
      return { first: unjudged(first, 'the monitor stopped before the failure could be confirmed') };
    const attempt = await guardedAttempt(tools);
    if (!attempt) return undefined;
    // An attempt that proves nothing doesn't replace a failed one, unless this machine's connection may have caused the failure.
    const mayBeOurs = verdicts[(second ?? first).verdict].fellShort === 'connection';
    if (indicatorOf(attempt) !== undefined || mayBeOurs) second = attempt;
  }
  return { first, ...(second ? { second } : {}) };
}

/** Makes an attempt. If it fails, the failure counts only if the machine was awake and online. */
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

/** Decides between "they are down" and "we are offline" when nothing responds. */
export function connectivityOf(probe: HostPort | undefined) {
  let lastAnswerAt = Number.NEGATIVE_INFINITY;
  return {
    /** Notes that a service of any environment responded; `at` is on the monotonic clock, in ms. */
    answered: (at: number) => {
      lastAnswerAt = Math.max(lastAnswerAt, at);
    },
    /**
     * Why an attempt that began at `since` and got no response proves nothing: this machine is offline. `undefined` if it proves that the
     * service is down.
     */
    whyCutOff: async (since: number): Promise<string | undefined> => {
      if (!probe || lastAnswerAt >= since || !(await connectProblem(probe, { timeoutMs: CONNECT_MS })))
        return undefined;
      return `this machine is offline: no service responds, and CONNECTIVITY_PROBE ${probe.host}:${probe.port} can't be reached either`;
    },
  };
}
