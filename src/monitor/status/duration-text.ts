/** A duration in its two largest units, the second only where it isn't zero: `40 s`, `3 min`, `3 h 5 min`, `2 d 1 h`. */
export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (minutes === 0) return `${seconds} s`;
  if (hours === 0) return units(minutes, 'min', seconds % 60, 's');
  return hours < 48 ? units(hours, 'h', minutes % 60, 'min') : units(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

function units(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}
