import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '../http/exchange.ts';
import { valueAt } from '../json/json-pointer.ts';
import type { SuccessRule } from '../target/target.ts';

/** Whether a change was certainly not made: rejected with a 4xx, or with a 2xx whose body says so, or never connected. */
export function hadNoEffect({ response, failure }: Exchange, rule?: SuccessRule): boolean {
  // 408 means that the request came too slowly; it may have been carried out in part.
  if (response && response.status >= 400 && response.status < 500) return response.status !== 408;
  if (response && rule && response.status >= 200 && response.status < 300) {
    const signal = response.body.json.ok ? valueAt(response.body.json.value, rule.pointer) : undefined;
    return signal !== undefined && !isDeepStrictEqual(signal, rule.value);
  }
  return failure !== undefined && ['dns', 'connect', 'tls'].includes(failure.phase);
}

/** Whether a failed undo found nothing to undo: its target is missing, gone, or not in that state. */
export function foundNothing({ response }: Exchange): boolean {
  return response !== undefined && [404, 409, 410].includes(response.status);
}
