import { type Exchange, excerpt, redact, redactJson, verdicts } from '../client/index.ts';
import type { ScenarioResult } from '../runner/index.ts';
import { failureOfReason } from '../scenario/index.ts';
import type { FailureRow, KeptExchange } from './history/runs.ts';
import type { KnownScenario } from './history/scenarios.ts';
import type { ProbeResult } from './probe/run-probe.ts';
import type { Flip } from './status/flip.ts';
import { statusOf } from './status/status.ts';

/** Longest body kept of a failing call, in characters. */
const BODY = 4_000;

/** The row for a run that did not simply pass; redacted again on its way into the file. */
export function failureRow({ first, second }: ProbeResult, run: number): FailureRow | undefined {
  const isWell = ({ verdict }: Pick<ScenarioResult, 'verdict'>) => verdicts[verdict].health === 'up';
  if (isWell(first)) return undefined;
  const red = second && !isWell(second) ? second : first;
  const { failing, curl, grade, reason } = red;
  return {
    run,
    started: first.startedAt,
    verdict: first.verdict,
    ...(second ? { retry: second.verdict } : {}),
    ...(grade ? { grade } : {}),
    ...(reason ? { reason: redact(reason) } : {}),
    ...(curl ? { curl: redact(curl) } : {}),
    ...(failing ? { exchange: redactJson(shortened(failing)) } : {}),
  };
}

/** The exchange with its body as text of bounded length; the parsed body isn't kept. */
function shortened({ request, response, ...rest }: Exchange): KeptExchange {
  const { body, ...sent } = request;
  return {
    ...rest,
    request: { ...sent, ...(body === undefined ? {} : { body: excerpt(body, BODY) }) },
    ...(response ? { answer: { ...response, body: { text: excerpt(response.body.text, BODY) } } } : {}),
  };
}

/** What a flip says of the run that caused it, in its last attempt. */
export function flipEvidence(
  { verdict, grade, failing }: ScenarioResult,
  failure: Pick<FailureRow, 'reason' | 'curl'> | undefined,
): Pick<Flip, 'verdict' | 'grade' | 'reason' | 'curl' | 'call'> {
  const { call } = failureOfReason(verdict, '', failing);
  return {
    verdict,
    ...(grade ? { grade } : {}),
    ...(failure?.reason ? { reason: failure.reason } : {}),
    ...(failure?.curl ? { curl: failure.curl } : {}),
    ...(call ? { call } : {}),
  };
}

/** How a scenario leaves its incident that is no longer monitored; `now` is an epoch, in ms. */
export function retiredFlip({ environment, title, area, standing }: KnownScenario, now: number): Omit<Flip, 'id'> {
  return {
    from: statusOf(standing),
    to: 'pending',
    since: now,
    at: now,
    scenario: { environment, title },
    area,
    verdict: 'skipped',
    reason: 'no longer monitored: renamed, not chosen, or not allowed',
    cause: { kind: 'address', address: '' },
  };
}
