import type { Exchange } from '../exchange.ts';

/** Whether a change is known not to have been made: refused with a 4xx, or never connected. */
export function hadNoEffect({ response, failure }: Exchange): boolean {
  // 408 is said of a request that came too slowly; how much of it was carried out, it doesn't tell.
  if (response) return response.status >= 400 && response.status < 500 && response.status !== 408;
  return failure !== undefined && ['dns', 'connect', 'tls'].includes(failure.phase);
}

/** Whether an undo that failed found nothing to undo: what it names is not there, gone, or not in that state. */
export function foundNothing({ response }: Exchange): boolean {
  return response !== undefined && [404, 409, 410].includes(response.status);
}
