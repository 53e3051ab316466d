import type { Exchange } from '../exchange.ts';

/** Whether a change was certainly not made: rejected with a 4xx, or never connected. */
export function hadNoEffect({ response, failure }: Exchange): boolean {
  // 408 means that the request came too slowly; it may have been carried out in part.
  if (response) return response.status >= 400 && response.status < 500 && response.status !== 408;
  return failure !== undefined && ['dns', 'connect', 'tls'].includes(failure.phase);
}

/** Whether a failed undo found nothing to undo: its target is missing, gone, or not in that state. */
export function foundNothing({ response }: Exchange): boolean {
  return response !== undefined && [404, 409, 410].includes(response.status);
}
