import { requestSchemas } from '../../schemas/index.ts';
import type { CallArguments } from '../../src/service/index.ts';
import type { Handler, Visit } from '../handler-request.ts';
import { JSON_TYPE, type OutgoingResponse, type Reply, type ServiceRequest } from '../json-server.ts';
import { Refusal } from '../refusal.ts';
import { loveCount } from '../state/index.ts';
import type { Fault } from './fault-switch.ts';

export type MakeHandler<A> = (original: Handler<A>) => Handler<A>;
export type MakeAnyHandler = <A>(original: Handler<A>) => Handler<A>;
type Tamper = NonNullable<Fault['respond']>;

export function replying(change: (reply: Reply) => Reply): MakeAnyHandler {
  return (original) => (visit) => change(original(visit));
}

export function bodied<Body>(change: (body: Body) => unknown): MakeAnyHandler {
  return replying((reply) => ({ ...reply, body: change(reply.body as Body) }));
}

export function refusing<A>(
  applies: (visit: Visit<A>) => boolean,
  ...refusal: ConstructorParameters<typeof Refusal>
): MakeHandler<A> {
  return (original) => (visit) => {
    if (applies(visit)) throw new Refusal(...refusal);
    return original(visit);
  };
}

/** Rejects requests for which `applies` returns true, before any other check. */
export function turningAway(
  applies: (request: ServiceRequest) => boolean,
  ...refusal: ConstructorParameters<typeof Refusal>
): NonNullable<Fault['arrive']> {
  return () => (request) => {
    if (applies(request)) throw new Refusal(...refusal);
  };
}

/** Lets the original handler answer the first request with each key. Later requests with the same key run `again` instead. */
export function once<A>(keyOf: (visit: Visit<A>) => string, again: Handler<A>): MakeHandler<A> {
  return (original) => {
    const done = new Set<string>();
    return (visit) => {
      if (done.has(keyOf(visit))) return again(visit);
      done.add(keyOf(visit));
      return original(visit);
    };
  };
}

/** For each key, repeats its first reply forever. */
export function stale<A>(original: Handler<A>, keyOf: (visit: Visit<A>) => string): Handler<A> {
  const first = new Map<string, Reply>();
  return (visit) => {
    const reply = first.get(keyOf(visit)) ?? original(visit);
    first.set(keyOf(visit), reply);
    return reply;
  };
}

/**
 * Shows each user the result of the user's previous read, like a lagging replica. The first read shows `before`; without it, the current
 * state.
 */
export const oneReadBehind =
  (before?: Reply): MakeAnyHandler =>
  (original) => {
    const held = new Map<string, Reply>();
    return (visit) => {
      const now = original(visit);
      const shown = held.get(visit.userId) ?? before ?? now;
      held.set(visit.userId, now);
      return shown;
    };
  };

/** Remembers the first value of a field for each key, and puts this value into all later requests with the key. */
export function keeping<A>(field: keyof A, keyOf: (visit: Visit<A>) => string): MakeHandler<A> {
  return (original) => {
    const first = new Map<string, A[keyof A]>();
    return (visit) => {
      const kept = first.get(keyOf(visit)) ?? visit.args[field];
      first.set(keyOf(visit), kept);
      return original({ ...visit, args: { ...visit.args, [field]: kept } });
    };
  };
}

/** Before a user's request to the operation, runs `also` for each user who sent this operation a request earlier. */
export function forEarlierUsersToo<A>(also: (visit: Visit<A>, original: Handler<A>) => void): MakeHandler<A> {
  return (original) => {
    const users = new Set<string>();
    return (visit) => {
      for (const userId of users) also({ ...visit, userId }, original);
      users.add(visit.userId);
      return original(visit);
    };
  };
}

export const isBlocked = ({ state, userId, args }: Visit<CallArguments<'block'>>) =>
  state.blocks.find({ blocker: userId, blocked: args.friendId }) !== undefined;
export const blockOnce = refusing(isBlocked, 409);

export const loveOnce: MakeHandler<CallArguments<'love'>> = (original) => (visit) => {
  const before = loveCount(visit.state, visit.args.storyId);
  const reply = original(visit);
  if (loveCount(visit.state, visit.args.storyId) === before) throw new Refusal(409);
  return reply;
};

export function onlyWhere(isFine: (body: Record<string, unknown>) => boolean): NonNullable<Fault['validate']> {
  return (original) => (operation, body) => {
    const valid = original(operation, body) as Record<string, unknown>;
    if (!isFine(valid)) throw new Refusal(422);
    return valid;
  };
}

/** Drops fields that the specification doesn't name, instead of rejecting them. */
export const ignoringUnknownFields: NonNullable<Fault['validate']> = (original) => (operation, body) => {
  const isRecord = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (!isRecord || !operation.request) return original(operation, body);
  const known = Object.keys(requestSchemas[operation.request].properties);
  return original(operation, Object.fromEntries(Object.entries(body).filter(([name]) => known.includes(name))));
};

export function onSuccess(change: (response: OutgoingResponse) => Partial<OutgoingResponse>): Tamper {
  return () => (response) => (response.status < 300 ? { ...response, ...change(response) } : response);
}

export function onSome(isOne: (count: number) => boolean, change: Partial<OutgoingResponse>): Tamper {
  return () => {
    let count = 0;
    return (response) => (isOne(++count) ? { ...response, ...change } : response);
  };
}

export const everyThird = (count: number) => count % 3 === 0;

export function onRefusal(
  change: (response: OutgoingResponse, request: ServiceRequest) => Partial<OutgoingResponse>,
): Tamper {
  return () => (response, request) =>
    response.status >= 400 ? { ...response, ...change(response, request) } : response;
}

/** Gives refusals (4xx) another body. A 5xx response stays unchanged. */
function refusalsAs(type: string | undefined, bodyOf: (status: number) => string): Tamper {
  return onRefusal(({ status, headers }) =>
    status >= 500 ? {} : { headers: { ...headers, 'content-type': type }, body: bodyOf(status) },
  );
}

export const refusalsAre = {
  problems: refusalsAs('application/problem+json', (status) =>
    JSON.stringify({ type: 'about:blank', title: 'refused', status }),
  ),
  texts: refusalsAs('text/plain; charset=utf-8', (status) => `${status}: not like this`),
  pages: refusalsAs(
    'text/html',
    (status) => `<html><head><title>${status}</title></head><body><h1>Not like this</h1></body></html>`,
  ),
  silent: refusalsAs(undefined, () => ''),
};

export function crashOn(code: string): Tamper {
  return onRefusal((response) => (response.body.toString().includes(`"${code}"`) ? crashed : {}));
}

export function crashWhen(applies: (body: string) => boolean): Tamper {
  return () => (response, request) =>
    applies(JSON.stringify(request.body) ?? '') ? { ...response, ...crashed } : response;
}

export const crashed: Pick<OutgoingResponse, 'status' | 'body'> = {
  status: 500,
  body: '{"error":{"code":"internal","message":"something went wrong"}}',
};

/** Returns the changes that wrap a response's body. If the body isn't JSON, because a fault has damaged it, returns no changes. */
export function withBody(response: OutgoingResponse, wrap: (value: unknown) => unknown): Partial<OutgoingResponse> {
  const { body } = response;
  const value = body === '' ? null : parsedJson(String(body));
  if (value === undefined) return {};
  const headers = { ...response.headers, 'content-type': JSON_TYPE };
  return { status: response.status === 204 ? 200 : response.status, headers, body: JSON.stringify(wrap(value)) };
}

export const enveloped = onSuccess((response) => withBody(response, (data) => ({ code: 0, message: 'ok', data })));

export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
