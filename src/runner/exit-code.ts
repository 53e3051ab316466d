import type { Verdict } from '../client/index.ts';

/** From worst to best. `skipped` says nothing, so anything else outweighs it. */
const gravity: readonly Verdict[] = [
  'failed',
  'unreachable',
  'refused',
  'drifted',
  'unknown',
  'slow',
  'passed',
  'skipped',
];

/** The verdict on many scenarios: the gravest. Nothing judged at all is `unknown`: a green must prove something. */
export function overallVerdict(verdicts: readonly Verdict[]): Verdict {
  const worst = gravity.find((verdict) => verdicts.includes(verdict));
  return worst === undefined || worst === 'skipped' ? 'unknown' : worst;
}

/** 0 all passed or slow · 1 the service fell short · 3 could not judge. (2 is usage or configuration.) */
export function exitCode(verdict: Verdict): 0 | 1 | 3 {
  if (verdict === 'passed' || verdict === 'slow') return 0;
  return verdict === 'unknown' || verdict === 'skipped' ? 3 : 1;
}
