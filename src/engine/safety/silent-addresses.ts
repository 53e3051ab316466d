import type { Exchange } from '../../client/index.ts';

/** Base addresses whose last request had no response: each undo there would wait as long. */
const silent = new Set<string>();

export function noteAddress(base: string, { response, failure }: Pick<Exchange, 'response' | 'failure'>): void {
  if (response) silent.delete(base);
  // A run that was stopped says nothing about the address.
  else if (failure?.code !== 'ABORTED' && failure?.side !== 'ours') silent.add(base);
}

export function isSilent(base: string): boolean {
  return silent.has(base);
}
