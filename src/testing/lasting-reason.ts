/** A reason without parts that differ between runs: generated ids, ports, times, and which of parallel scenarios was first. */
export function lastingReason(reason: string): string {
  return (
    reason
      .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, '<id>')
      .replace(/\bsextant-[0-9a-f]{20}\b/g, '<id>')
      .replace(/127\.0\.0\.1:\d+/g, '<address>')
      .replace(/[\d,]+ ms/g, '<time>')
      .replace(/\b\d\d:\d\d\b/g, '<clock>')
      // If scenarios run at once, chance decides which of them is the first to find a host down; the others aren't tried.
      .replace(/^not tried: /, '')
  );
}
