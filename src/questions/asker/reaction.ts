import { ApiResponse, inside, mediaType, typeName } from '../../call/index.ts';
import { type Exchange, header, isRecord, leaves, parsedJson } from '../../http/index.ts';
import { outcomeOf, type SuccessRule } from '../../verdict/index.ts';

/** The outcome of an invalid request. `unclear` is neither accepted nor refused, for the reason in `why`. */
export type Reaction =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'unclear'; readonly why: string };

/**
 * Derives the outcome from a response. Some services always respond with 200, and report a refusal in the body. So a 2xx is `accepted` only
 * if its body has the fields of the `accepted` responses, or if it meets SUCCESS_WHEN (`rule`).
 */
export function reactionOf(exchange: Exchange, rule: SuccessRule | undefined, accepted: readonly Look[]): Reaction {
  const { response, failure } = exchange;
  if (!response) return { kind: 'unclear', why: `no response: ${failure?.reason ?? 'unknown'}` };
  const outcome = outcomeOf(exchange, rule);
  const { status } = response;
  if (outcome.isAccepted) {
    const looks = lookOf(exchange);
    if (rule || accepted.length === 0 || accepted.some((known) => looksLike(known, looks))) return { kind: 'accepted' };
    return {
      kind: 'unclear',
      why: `${status}, but with other fields than after an accepted request; if the body signals success, set SUCCESS_WHEN`,
    };
  }
  if (outcome.isRefusal) return { kind: 'refused', status };
  return { kind: 'unclear', why: outcome.door?.says ?? `${status} ${response.statusText}`.trim() };
}

/** The outline of a response: the names and types on the top level of its body. */
export interface Look {
  /** The JSON type of the body; `empty` or `not JSON` if there is none. */
  readonly whole: string;
  readonly fields: ReadonlyMap<string, FieldLook>;
  readonly isEcho: boolean;
}

interface FieldLook {
  readonly kind: string;
  readonly isEcho: boolean;
}

const scalars = ['string', 'number', 'boolean', 'null'];
/** The minimum length of a value that counts as repeated from the request. Shorter texts and numbers may be in a response by accident. */
const LEAST_ECHO = 3;

export function lookOf({ request, response }: Exchange): Look {
  const json = response?.body.json;
  if (!json?.ok) return { whole: response?.body.text === '' ? 'empty' : 'not JSON', fields: new Map(), isEcho: false };
  const { value } = json;
  const sent = valuesOf(request);
  const isScalar = (value: unknown) => typeof value !== 'object' || value === null;
  const isEcho = (value: unknown) => isScalar(value) && String(value).length >= LEAST_ECHO && sent.has(value);
  if (!isRecord(value)) return { whole: typeName(value), fields: new Map(), isEcho: isEcho(value) };
  const fields = Object.entries(value).map(([name, child]): [string, FieldLook] => [
    // A field whose name comes from the request says nothing about the kind of response.
    isEcho(name) ? '*' : name,
    { kind: typeName(child), isEcho: isEcho(child) },
  ]);
  return { whole: 'object', fields: new Map(fields), isEcho: false };
}

/** Whether two responses have the same fields, except for fields that only repeat the request. */
export function looksLike(a: Look, b: Look): boolean {
  if (a.whole !== b.whole) return (a.isEcho || b.isEcho) && [a, b].every(({ whole }) => scalars.includes(whole));
  return [...new Set([...a.fields.keys(), ...b.fields.keys()])].every((name) => {
    const [one, other] = [a.fields.get(name), b.fields.get(name)];
    return one?.kind === other?.kind || one?.isEcho || other?.isEcho;
  });
}

function valuesOf({ url, body = '' }: Exchange['request']): ReadonlySet<unknown> {
  const sent = new Set<unknown>(new URL(url).pathname.split('/').map(decodeURIComponent));
  const pending = [parsedJson(body)];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value === 'object' && value !== null) pending.push(...Object.values(value));
    else sent.add(value);
  }
  return sent;
}

/**
 * Whether `value` has the same content as two responses to one request. Values that differ between the two responses (a time, an id of the
 * request) aren't compared. `renamed`: a name in the two responses, and the name that `value` has in its place.
 */
export function saysTheSame(
  value: unknown,
  [first, second]: readonly [unknown, unknown],
  renamed?: { readonly from: string; readonly to: string },
): boolean {
  const [leaves, known, again] = [leavesOf(value), leavesOf(first), leavesOf(second)];
  if (leaves.size !== known.size) return false;
  const name = renamed && new RegExp(`\\b${renamed.from.replace(/\W/g, '\\$&')}\\b`, 'gi');
  const asHere = (text: string) => (name ? text.replace(name, renamed.to) : text).toLowerCase();
  return [...known].every(([place, text]) => {
    const found = leaves.get(name ? place.replace(name, renamed.to) : place);
    const isVolatile = again.get(place) !== text || isMoment(text);
    return found !== undefined && (isVolatile || found.toLowerCase() === asHere(text));
  });
}

/**
 * Whether a text is a time of day, or an epoch in seconds or a smaller unit. Times say nothing about a request, so they aren't compared,
 * even if two quick responses show the same time.
 */
function isMoment(text: string): boolean {
  return /\d\d:\d\d/.test(text) || (/^"?\d{10,}"?$/.test(text) && Number(text.replaceAll('"', '')) > 1e9);
}

function leavesOf(root: unknown): Map<string, string> {
  const found = new Map<string, string>();
  const pending: [place: string, value: unknown][] = [['', root]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [place, value] = next;
    const children = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    if (children.length === 0) found.set(place, JSON.stringify(value) ?? '');
    for (const [name, child] of children) pending.push([`${place}/${name}`, child]);
  }
  return found;
}

export function mentions(exchange: Exchange, text: string | undefined): boolean {
  return inside(new ApiResponse(exchange, new Set())).mentions(text ?? '');
}

/** Whether a response contains all these texts, as whole values or at the end of an address. */
export function isIn(exchange: Exchange, texts: readonly string[]): boolean {
  const shown = [...leaves(bodyOf(exchange))].map(({ text }) => text);
  return texts.every((text) => shown.some((each) => each === text || each.endsWith(`/${text}`)));
}

export function bodyOf({ response }: Exchange): unknown {
  return response?.body.json.ok ? response.body.json.value : response?.body.text;
}

/** The two responses to a request that was sent twice. Their differences mean nothing. */
export type Twice = readonly [Exchange, Exchange];

/** Whether a refusal has the status, content type and text of the refusals of a request that was sent twice. */
export function isAlike(exchange: Exchange, pair: Twice): boolean {
  const [first] = pair;
  return (
    exchange.response?.status === first.response?.status &&
    typeOf(exchange) === typeOf(first) &&
    saysTheSame(bodyOf(exchange), [bodyOf(first), bodyOf(pair[1])])
  );
}

function typeOf({ response }: Exchange): string | null | undefined {
  return response && mediaType(header(response, 'content-type'));
}
