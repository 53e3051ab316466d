import { type Verdict, verdicts } from '../client/index.ts';

/** The verdict on many scenarios: the most severe. Without a scenario that ran it is `unknown`: a pass must prove something. */
export function overallVerdict(all: readonly Verdict[]): Verdict {
  const [worst] = [...all].sort((a, b) => verdicts[b].severity - verdicts[a].severity);
  return worst === undefined || !verdicts[worst].ran ? 'unknown' : worst;
}

/** 0 all passed or slow · 1 the service fell short · 3 could not judge. (2 is usage or configuration.) */
export function exitCode(verdict: Verdict): 0 | 1 | 3 {
  return verdicts[verdict].exitCode;
}
