import { definedFields, type Environment } from '../../environment/index.ts';
import type { Exchange } from '../../http/index.ts';
import { redact, redactJson } from '../../redaction/index.ts';
import { causesOf, phaseSums, type ScenarioResult } from '../../run/index.ts';
import { excerpt, type Health, verdicts } from '../../verdict/index.ts';
import type { RunCounts } from '../history/rollups.ts';
import type { KeptExchange, RunRow } from '../history/runs.ts';
import type { KnownScenario } from '../history/scenarios.ts';
import type { Flip, ProbeResult } from '../status/flip.ts';
import { indicatorOf, passedOnRetry, type Standing, statusOf } from '../status/status.ts';
import { cut } from '../status/texts.ts';

export interface FinishedRun {
  readonly environment: Environment;
  readonly observed: ProbeResult;
  /** When the run was due; epoch, in ms. */
  readonly planned: number;
  readonly intervalMs: number;
  /** When the run began, on the monotonic clock, in ms. Default: its time on the wall clock. */
  readonly steady?: number;
}

/** The counts by which a run changes the roll-ups of its hour and day. `standing` is the scenario's state after the run. */
export function countsOf({ first, second }: ProbeResult, health: Health, standing: Standing): Partial<RunCounts> {
  const indicator = indicatorOf(first, standing);
  return {
    runs: 1,
    judged: indicator ? 1 : 0,
    good: indicator === 'good' ? 1 : 0,
    degraded: health === 'degraded' ? 1 : 0,
    retried: passedOnRetry(first, second) ? 1 : 0,
  };
}

/** The row that the history stores for a run. Its texts are redacted again when the row is written. `planned` is an epoch, in ms. */
export function runRow({ first, second }: ProbeResult, evidence: Health, planned: number): RunRow {
  const { status, phases } = phaseSums(first.exchanges);
  return {
    planned: Math.round(planned),
    started: first.startedAt,
    ms: first.durationMs,
    verdict: first.verdict,
    evidence,
    ...definedFields({ retry: second?.verdict, status, phases }),
    ...(isWell(first) ? {} : failureOf(second && !isWell(second) ? second : first)),
  };
}

function isWell({ verdict }: ScenarioResult): boolean {
  return verdicts[verdict].health === 'up';
}

/** Fields for a run in which an attempt was not healthy: the reason, and the failing call. */
function failureOf({ failing, curl, grade, reason = '', failures: [first] = [], trace }: ScenarioResult) {
  const exchange = failing && redactJson({ ...shortened(failing), ...definedFields({ trace }) });
  const { key, cure } = first?.unaccepted ?? {};
  const withKey = key && !reason.includes(key) ? `${reason}: ${cure}` : reason;
  const text = first?.drift ? `${reason} — ${first.drift.evidence}` : withKey;
  return { reason: redact(text), ...definedFields({ grade, curl: curl && redact(curl), exchange }) };
}

/** The latency of a judged run, in ms: the time that its calls took, without the time that Sextant itself took. */
export function latencyOf({ first }: ProbeResult, { phases }: RunRow): number | undefined {
  if (!indicatorOf(first)) return undefined;
  const calls = Object.values(phases ?? {});
  return calls.length === 0 ? first.durationMs : calls.reduce((sum, each) => sum + each, 0);
}

/** Longest stored body of a failing call, in characters. */
const BODY = 4_000;

/** The exchange without its parsed body. Its body is a text of limited length. */
function shortened({ request, response, ...rest }: Exchange): KeptExchange {
  const { body, ...sent } = request;
  return {
    ...rest,
    request: { ...sent, ...(body === undefined ? {} : { body: excerpt(body, BODY) }) },
    ...(response ? { answer: { ...response, body: { text: excerpt(response.body.text, BODY) } } } : {}),
  };
}

/**
 * Longest stored sentence about a failure, in characters. The sentence may contain an expectation of the team's spec, which can be longer.
 */
const LONGEST_SENTENCE = 160;

/** The fields of a run that are stored with a change of status: verdict, reason and failing call of the last attempt. */
export function flipEvidence(
  { verdict, grade, title, failing, failures: [first] = [] }: ScenarioResult,
  { environment }: Pick<KnownScenario, 'environment'>,
  { reason, curl }: RunRow,
): Pick<Flip, 'verdict' | 'grade' | 'reason' | 'curl' | 'sentence'> {
  const [cause] = failing && first ? causesOf([{ environment, title, verdict: first.verdict, failures: [first] }]) : [];
  const sentence = cause && cut(redact(cause.sentence), LONGEST_SENTENCE);
  const said = first?.drift ? redact(first.drift.evidence) : reason;
  return { verdict, ...definedFields({ grade, reason: said, curl, sentence }) };
}

/** The change of status with which a scenario leaves its incident because it is no longer monitored. `now` is an epoch, in ms. */
export function retiredFlip({ standing }: KnownScenario, now: number, steady: number) {
  const change = { from: statusOf(standing), to: 'pending', since: now, steady, at: now } as const;
  const reason = 'no longer monitored: renamed, not chosen, or not allowed';
  return { ...change, verdict: 'skipped', reason, cause: { kind: 'address', address: '' } } as const;
}
