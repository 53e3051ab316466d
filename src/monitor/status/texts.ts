/** A duration in its two largest units, e.g. `40 s`, `3 min`, `3 h 5 min`, `2 d 1 h`. Leaves the second unit out if it is zero. */
export function durationText(ms: number): string {
  // If somebody set a clock back, the difference may be negative. A duration is never negative.
  const seconds = Math.max(0, Math.round(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (minutes === 0) return `${seconds} s`;
  if (hours === 0) return units(minutes, 'min', seconds % 60, 's');
  return hours < 48 ? units(hours, 'h', minutes % 60, 'min') : units(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

function units(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/** A moment as `2026-11-20 10:00:00 UTC`; `at` is an epoch, in ms, or ISO 8601. */
export function utcText(at: number | string): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
