import type { Exchange } from '../../client/index.ts';

/** The outline of a response: names and types of its top level. */
export interface Look {
  /** The JSON type of the body; `empty` or `not JSON` if there is none. */
  readonly whole: string;
  readonly fields: ReadonlyMap<string, FieldLook>;
  /** Whether the body is a value from the request. */
  readonly isEcho: boolean;
}

interface FieldLook {
  readonly kind: string;
  readonly isEcho: boolean;
}

/** Shorter texts and numbers occur in most requests by accident. */
const LEAST_ECHO = 3;

export function lookOf({ request, response }: Exchange): Look {
  const json = response?.body.json;
  if (!json?.ok) return { whole: response?.body.text === '' ? 'empty' : 'not JSON', fields: new Map(), isEcho: false };
  const { value } = json;
  const sent = valuesOf(request);
  const isEcho = (value: unknown) => String(value).length >= LEAST_ECHO && sent.has(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { whole: kindOf(value), fields: new Map(), isEcho: isEcho(value) };
  const fields = Object.entries(value).map(([name, child]): [string, FieldLook] => [
    // A name from the request says nothing about the kind of response.
    isEcho(name) ? '*' : name,
    { kind: kindOf(child), isEcho: isEcho(child) },
  ]);
  return { whole: 'object', fields: new Map(fields), isEcho: false };
}

/** Whether two responses have the same fields, ignoring those that only repeat the request. */
export function looksLike(a: Look, b: Look): boolean {
  if (a.whole !== b.whole) return (a.isEcho || b.isEcho) && [a, b].every(({ whole }) => isScalar(whole));
  return [...new Set([...a.fields.keys(), ...b.fields.keys()])].every((name) => {
    const [one, other] = [a.fields.get(name), b.fields.get(name)];
    return one?.kind === other?.kind || one?.isEcho || other?.isEcho;
  });
}

/** The texts and numbers in a request's body and path. */
function valuesOf({ url, body = '' }: Exchange['request']): ReadonlySet<unknown> {
  const sent = new Set<unknown>(new URL(url).pathname.split('/').map(decodeURIComponent));
  try {
    const pending: unknown[] = [JSON.parse(body)];
    for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
      if (typeof value === 'object' && value !== null) pending.push(...Object.values(value));
      else sent.add(value);
    }
  } catch {
    // A malformed body has no values.
  }
  return sent;
}

function isScalar(kind: string): boolean {
  return ['string', 'number', 'boolean', 'null'].includes(kind);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  // A nullable object still counts as an object; an envelope's empty `data` doesn't.
  return value === null ? 'null' : typeof value;
}
