import type { Exchange } from '../../client/index.ts';

/** Whether a change is known not to have been made: refused with a 4xx, or never connected. */
export function hadNoEffect({ answer, failure }: Exchange): boolean {
  // 408 is said of a request that came too slowly; how much of it was carried out, it doesn't tell.
  if (answer) return answer.status >= 400 && answer.status < 500 && answer.status !== 408;
  return failure !== undefined && ['dns', 'connect', 'tls'].includes(failure.phase);
}

/** Whether an undo that failed found nothing to undo: what it names is not there, gone, or not in that state. */
export function foundNothing({ answer }: Exchange): boolean {
  return answer !== undefined && [404, 409, 410].includes(answer.status);
}
