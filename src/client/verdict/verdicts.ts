/** What came of a scenario. */
export const verdicts = [
  /** All that was expected held. */
  'passed',
  /** It held, but an operation took longer than SLOW_AFTER_MS. */
  'slow',
  /** A learned expectation broke. */
  'drifted',
  /** A documented or assumed expectation broke. */
  'failed',
  /** Our own credentials were not accepted. */
  'refused',
  /** DNS, TCP, TLS, timeout or reset: no usable answer. */
  'unreachable',
  /** The suite could not judge: throttled, answer above the size limit, a fault on our side. */
  'unknown',
  /** Not allowed, or no data here; always with the reason. */
  'skipped',
] as const;

export type Verdict = (typeof verdicts)[number];
