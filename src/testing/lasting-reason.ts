/** Replaces the parts of a scenario's reason that differ between runs: generated ids, ports, durations and times of day. */
export function lastingReason(reason: string): string {
  return (
    reason
      .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, '<id>')
      .replace(/\bsextant-[0-9a-f]{20}\b/g, '<id>')
      .replace(/127\.0\.0\.1:\d+/g, '<address>')
      .replace(/[\d,]+ ms/g, '<time>')
      .replace(/\b\d\d:\d\d\b/g, '<clock>')
      // If scenarios run in parallel, chance decides which scenario is the first to find a host down. This scenario reports the failure,
      // and the others report `not tried: ` with the same failure.
      .replace(/^not tried: /, '')
  );
}
