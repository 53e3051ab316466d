import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '../http/exchange.ts';
import { valueAt } from '../json/parsed-json.ts';
import { leaves } from '../json/search.ts';
import type { SuccessRule } from '../target/target.ts';

/** The kind of a refusal: its status, and the value for SUCCESS_WHEN. */
export function refusalKind({ response }: Exchange, rule: SuccessRule | undefined): string {
  const json = response?.body.json;
  return JSON.stringify([response?.status, rule && json?.ok ? (valueAt(json.value, rule.pointer) ?? null) : null]);
}

/**
 * Whether a service refuses two requests for the same reason, as far as it tells: the same status, and in the body the same numbers, switches
 * and words. Texts with digits may be ids or times, which differ anyway.
 */
export function refusedAlike(a: Exchange, b: Exchange): boolean {
  return reasonOf(a) === reasonOf(b);
}

function reasonOf({ response }: Exchange): string {
  const { json, text = '' } = response?.body ?? {};
  const said = json?.ok ? [...leaves(json.value)] : [{ path: [], text, isKey: false }];
  const words = said
    .filter((leaf) => !leaf.isKey && (/^(\d{1,6}|true|false)$/.test(leaf.text) || !/\d/.test(leaf.text)))
    .map((leaf) => `${leaf.path.join('/')}=${leaf.text}`);
  return JSON.stringify([response?.status, ...words.sort()]);
}

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
