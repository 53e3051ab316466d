import { type Exchange, isSuccess, type SuccessRule } from '../client/index.ts';

/** How a request that was spoiled on purpose came out. unclear: neither can be said, with the reason. */
export type Reaction =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'unclear'; readonly why: string };

/**
 * Reads an outcome off an answer. A 2xx counts as accepted only when it looks as `accepted` answers do: in an
 * always-200 service the body tells, and without SUCCESS_WHEN nobody told us how.
 */
export function reactionOf(exchange: Exchange, rule: SuccessRule | undefined, accepted: readonly string[]): Reaction {
  const { operation, response, failure } = exchange;
  if (!response) return { kind: 'unclear', why: `no answer: ${failure?.reason ?? 'unknown'}` };
  const { status } = response;
  if (isSuccess(operation, response, rule)) {
    const looks = lookOf(exchange);
    if (rule || accepted.length === 0 || accepted.includes(looks)) return { kind: 'accepted' };
    return {
      kind: 'unclear',
      why: `${status}, but with other fields than an accepted request's; if the body tells success, set SUCCESS_WHEN`,
    };
  }
  if ((status >= 400 && status < 500) || (rule && status < 300)) return { kind: 'refused', status };
  return { kind: 'unclear', why: `${status} ${response.statusText}`.trim() };
}

/** What an answer looks like from outside: the names and kinds of its top level. */
export function lookOf({ response }: Exchange): string {
  const json = response?.body.json;
  if (!json?.ok) return response?.body.text === '' ? 'empty' : 'not JSON';
  const { value } = json;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return kindOf(value);
  const fields = Object.entries(value).map(([name, child]) => `${name}:${kindOf(child)}`);
  return `{${fields.sort().join()}}`;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  // An object that may be null is one object field still; an envelope's empty `data` is not.
  return value === null ? 'null' : typeof value;
}

/** An outcome in the words of facts; `undefined` when it says nothing. */
export function reactionText(outcome: Reaction): string | undefined {
  if (outcome.kind === 'unclear') return undefined;
  return outcome.kind === 'accepted' ? 'accepted' : `refused with ${outcome.status}`;
}
