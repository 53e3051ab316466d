/** A reason without values that differ between runs: generated ids, ports, times, and the order of what runs at once. */
export function lastingReason(reason: string): string {
  return (
    reason
      .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, '<id>')
      .replace(/\bsextant-[0-9a-f]{20}\b/g, '<id>')
      .replace(/127\.0\.0\.1:\d+/g, '<address>')
      .replace(/[\d,]+ ms/g, '<time>')
      .replace(/\b\d\d:\d\d\b/g, '<clock>')
      // Of scenarios that run at once, it depends on the moment which one finds a host down first.
      .replace(/^not tried: /, '')
  );
}
