import { type Operation, operation, operationIds, pathParameters } from '../../spec/index.ts';
import type { Replied, WireRequest, WireVariant } from './proxy.ts';

/** Statuses of a broken operation, each a fault of its own. */
const statuses = [400, 401, 403, 404, 405, 409, 410, 422, 500, 502, 503] as const;

/** How an operation is broken on the wire, whatever the service behind it is. */
export type WireKind = (typeof statuses)[number] | 'swallowed' | 'reset' | 'deadline';

export const wireKinds: readonly WireKind[] = [...statuses, 'swallowed', 'reset', 'deadline'];

/** One operation, broken in one way. */
export interface WireFault {
  readonly operation: Operation;
  readonly kind: WireKind;
}

/** `unlove answers 500`, `block is accepted and swallowed`. */
export function wireFaultName({ operation: { id }, kind }: WireFault): string {
  if (typeof kind === 'number') return `${id} answers ${kind}`;
  return { swallowed: `${id} is accepted and swallowed`, reset: `${id} resets`, deadline: `${id} never answers` }[kind];
}

/** Every fault that can be told from others on the wire: rows 11 and 12 are one request. What reads has nothing to swallow. */
export function wireFaults(): WireFault[] {
  const requests = new Map(operationIds.map((id) => [requestOf(operation(id)), operation(id)] as const).reverse());
  return [...requests.values()]
    .reverse()
    .flatMap((each) =>
      wireKinds
        .filter((kind) => kind !== 'swallowed' || each.effect !== 'read')
        .map((kind) => ({ operation: each, kind })),
    );
}

/**
 * A proxy's variant whose fault can be switched. While there is none, it keeps the last success of each operation, which is what a
 * change that is swallowed gets.
 */
export class FaultyWire {
  fault: WireFault | undefined;
  readonly #successes = new Map<string, { readonly asked: WireRequest; readonly reply: Replied }>();
  readonly #isSuccess: (reply: Replied) => boolean;

  constructor(isSuccess: (reply: Replied) => boolean = ({ status }) => status < 300) {
    this.#isSuccess = isSuccess;
  }

  readonly variant: WireVariant = async (asked, forward) => {
    const met = operationIds.map(operation).find((each) => matches(each, asked));
    const isBroken = this.fault && met && requestOf(this.fault.operation) === requestOf(met);
    if (isBroken && this.fault) return this.#broken(this.fault.kind, requestOf(met), asked);
    const reply = await forward(asked);
    if (met && this.#isSuccess(reply)) this.#successes.set(requestOf(met), { asked, reply });
    return reply;
  };

  #broken(kind: WireKind, request: string, asked: WireRequest): Replied | 'reset' | 'silence' {
    if (kind === 'reset') return 'reset';
    if (kind === 'deadline') return 'silence';
    if (kind !== 'swallowed') return { status: kind, type: 'application/json', body: `{"error":"broken on purpose"}` };
    const known = this.#successes.get(request);
    return known ? { ...known.reply, body: retold(known.reply.body, known.asked, asked) } : emptySuccess;
  }
}

const emptySuccess: Replied = { status: 200, type: 'application/json', body: '{}' };

function requestOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

function matches({ method, path }: Operation, asked: WireRequest): boolean {
  const pattern = pathParameters(path).reduce((text, name) => text.replace(`{${name}}`, '[^/]+'), path);
  return method === asked.method && new RegExp(`${pattern}$`).test(asked.path.split('?')[0] ?? '');
}

/** A response to one request as if it were to another: the texts of its body stand for the other's. */
function retold(body: string, from: WireRequest, to: WireRequest): string {
  const [before, after] = [textsOf(from.body), textsOf(to.body)];
  return Object.entries(before).reduce(
    (text, [name, value]) => (after[name] === undefined ? text : text.replaceAll(value, () => after[name] as string)),
    body,
  );
}

/** The texts of a JSON object, by name. */
function textsOf(body: string): Record<string, string> {
  try {
    const found: unknown = JSON.parse(body);
    const entries = Object.entries((found ?? {}) as object);
    return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string' && value !== ''));
  } catch {
    return {};
  }
}
