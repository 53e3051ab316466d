/** Replaces the parts of a scenario's reason that differ between runs: generated ids, ports, durations and times of day. */
export function lastingReason(reason: string): string {
  return (
    reason
      .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, '<id>')
      .replace(/\bsextant-[0-9a-f]{20}\b/g, '<id>')
      .replace(/127\.0\.0\.1:\d+/g, '<address>')
      .replace(/[\d,]+ ms/g, '<time>')
      .replace(/\b\d\d:\d\d\b/g, '<clock>')
      // If scenarios run in parallel, the first one that finds a host down reports the failure, and the next ones report `not tried` with
      // the same failure. Chance decides which scenario is first.
      .replace(/^not tried: /, '')
  );
}
