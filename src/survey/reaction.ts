import { type Exchange, isSuccess, type SuccessRule } from '../client/index.ts';
import { type Look, lookOf, looksLike } from './look.ts';

/** How a request that was spoiled on purpose came out. unclear: neither can be said, with the reason. */
export type Reaction =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'unclear'; readonly why: string };

/**
 * Reads an outcome off an answer. A 2xx counts as accepted only when it looks as `accepted` answers do: in an
 * always-200 service the body tells, and without SUCCESS_WHEN nobody told us how.
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

/** An outcome in the words of facts; `undefined` when it says nothing. */
export function reactionText(outcome: Reaction): string | undefined {
  if (outcome.kind === 'unclear') return undefined;
  return outcome.kind === 'accepted' ? 'accepted' : `refused with ${outcome.status}`;
}
