import { type Exchange, isSuccess, type SuccessRule } from '../../client/index.ts';
import { type Look, lookOf, looksLike } from './look.ts';

/** The outcome of an invalid request. unclear: neither accepted nor refused, with the reason. */
export type Reaction =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'unclear'; readonly why: string };

/**
 * Derives an outcome from a response. A 2xx counts as accepted only if it has the shape of `accepted` responses: in an
 * always-200 service the body signals success, which needs SUCCESS_WHEN.
 */
export function reactionOf(exchange: Exchange, rule: SuccessRule | undefined, accepted: readonly Look[]): Reaction {
  const { operation, response, failure } = exchange;
  if (!response) return { kind: 'unclear', why: `no response: ${failure?.reason ?? 'unknown'}` };
  const { status } = response;
  if (isSuccess(operation, response, rule)) {
    const looks = lookOf(exchange);
    if (rule || accepted.length === 0 || accepted.some((known) => looksLike(known, looks))) return { kind: 'accepted' };
    return {
      kind: 'unclear',
      why: `${status}, but with other fields than after an accepted request; if the body signals success, set SUCCESS_WHEN`,
    };
  }
  if ((status >= 400 && status < 500) || (rule && status < 300)) return { kind: 'refused', status };
  return { kind: 'unclear', why: `${status} ${response.statusText}`.trim() };
}

/** An outcome in the words of facts; `undefined` if it is unclear. */
export function reactionText(outcome: Reaction): string | undefined {
  if (outcome.kind === 'unclear') return undefined;
  return outcome.kind === 'accepted' ? 'accepted' : `refused with ${outcome.status}`;
}
