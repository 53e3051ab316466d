import { isDeepStrictEqual } from 'node:util';
import { headerValue, idIn } from '../../call/index.ts';
import type { Environment } from '../../environment/index.ts';
import { type Exchange, fieldsIn, mentions, parsedJson, valueAt } from '../../http/index.ts';
import { oldValues, overwrittenFields } from '../../safety/index.ts';
import { type HeaderName, headerSets, type Operation, operation, operationIds } from '../../service/index.ts';
import { outcomeOf, type SuccessRule } from '../../verdict/index.ts';
import type { Replied, Reply, WireFault, WireRequest } from './faults.ts';

/** Sends the request to the service. */
export type Forward = () => Promise<Replied>;

/** The way between client and service, with at most one fault. A request with a lasting effect never reaches the service. */
export class FaultyWire {
  /** Whether a request has met the fault. */
  isMet = false;
  readonly #environment: Environment;
  readonly #fault: WireFault | undefined;
  /** Each operation with a pattern that matches the end of a request's path. */
  readonly #operations: ReadonlyMap<Operation, RegExp>;
  readonly #accepted = new Map<string, Replied>();
  /** The profiles that were read, by user id. */
  readonly #profiles = new Map<string, unknown>();
  readonly #acceptedHeaders = new Set<string>();
  readonly #changed = new Set<string>();
  readonly #deleted = new Set<string>();

  /** `learned`: the exchanges of a run without a fault. */
  constructor(environment: Environment, learned: readonly Exchange[], fault?: WireFault) {
    const { readProfile, successWhen } = environment;
    const all = [...operationIds.map(operation), ...(readProfile ? [readProfile] : [])];
    this.#environment = environment;
    this.#fault = fault;
    this.#operations = new Map(all.map((each) => [each, new RegExp(`${each.path.replace(/\{\w+\}/g, '[^/]+')}$`)]));
    for (const exchange of learned) {
      const { operation: id, response, tampered } = exchange;
      const known = all.find((each) => each.id === id);
      if (!known || !response || tampered || !outcomeOf(exchange, successWhen).isAccepted) continue;
      const type = response.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? null;
      this.#accepted.set(requestOf(known), { status: response.status, type, body: response.body.text });
    }
  }

  /** Returns the drill's reply to a request; `undefined` if the request may go to the service. */
  async reply(asked: WireRequest, forward: Forward): Promise<Reply | undefined> {
    const operation = this.#operationOf(asked);
    if (!operation) return undefined;
    const fault = this.#fault && requestOf(this.#fault.operation) === requestOf(operation) ? this.#fault : undefined;
    this.isMet ||= fault !== undefined;
    const reply = await (fault ? this.#broken(fault, operation, asked, forward) : this.#inItsPlace(operation, asked));
    const changed = operation.effect === 'reversible' ? idIn(fieldsIn(asked.body)) : undefined;
    for (const id of changed ? [changed, userOf(asked)] : []) this.#changed.add(id);
    return reply;
  }

  async #broken(fault: WireFault, operation: Operation, asked: WireRequest, forward: Forward): Promise<Reply> {
    const { reply: own, kind, header } = fault;
    if (own) return own;
    if (kind === 'state') return this.#replayed(operation);
    const reply = this.#inItsPlace(operation, asked) ?? this.#noted(asked, await forward());
    if (header) return this.isSuccess(reply) || this.#isRight(header, asked) ? reply : this.#replayed(operation);
    const json = parsedJson(reply.body);
    if (!this.isSuccess(reply) || json === undefined) return reply;
    const ids = [...this.#changed].filter((id) => id !== userOf(asked));
    return { ...reply, body: JSON.stringify(ids.reduce(without, json)) };
  }

  /** Notes the service's reply to a request that reached it unchanged. */
  passed(asked: WireRequest, reply: Replied): void {
    const operation = this.#operationOf(asked);
    if (!operation || !this.isSuccess(this.#noted(asked, reply))) return;
    this.#accepted.set(requestOf(operation), reply);
    const profile = operation.id === this.#environment.readProfile?.id ? parsedJson(reply.body) : undefined;
    if (profile !== undefined) this.#profiles.set(lastSegment(asked), profile);
  }

  isSuccess({ status, body }: Replied): boolean {
    const { successWhen: rule } = this.#environment;
    if (status >= 300 || !rule) return status < 300;
    return isDeepStrictEqual(valueAt(parsedJson(body), rule.pointer), rule.value);
  }

  /** Notes the headers of an accepted request: nothing else shows the drill which credentials belong to users of a provisioner. */
  #noted(asked: WireRequest, reply: Replied): Replied {
    for (const [name, value] of this.isSuccess(reply) ? Object.entries(asked.headers) : [])
      this.#acceptedHeaders.add(`${name}: ${value}`);
    return reply;
  }

  #isRight(name: HeaderName, { headers }: WireRequest): boolean {
    const { masked, secret = masked } = headerValue(this.#environment.caller, name);
    return headers[name] === secret || this.#acceptedHeaders.has(`${name}: ${headers[name]}`);
  }

  /** Returns the drill's reply if the request would have a lasting effect; `undefined` if the request may be sent. */
  #inItsPlace(operation: Operation, asked: WireRequest): Replied | undefined {
    if (!this.#lasts(operation, asked)) return undefined;
    if (!this.#hasItsHeaders(operation, asked)) return refusal(401);
    if (operation.method === 'DELETE') {
      if (this.#deleted.has(asked.path)) return refusal(404);
      this.#deleted.add(asked.path);
    }
    return this.#replayed(operation);
  }

  /** Whether a request can't be undone, or overwrites a value that could not be saved before. */
  #lasts({ effect, restoredBy }: Operation, asked: WireRequest): boolean {
    const user = userOf(asked);
    if (effect !== 'overwriting') return effect === 'irreversible';
    const { caller, friend, provisionUrl } = this.#environment;
    const isOwn = [caller.userId, friend.userId].includes(user);
    // The users of a provisioner are not used again after the scenario, so nothing must be restored.
    if (provisionUrl && !isOwn) return false;
    const profile = restoredBy ? this.#profiles.get(user) : undefined;
    const update = { includes: '', ...fieldsIn(asked.body) };
    const old =
      profile === undefined ? undefined : oldValues(profile, user, overwrittenFields(update), this.#environment);
    // Some services show empty texts but refuse them in an update, so an empty text could not be restored.
    return !old || Object.values(old).includes('');
  }

  /**
   * Whether a request has all headers of its header set, each with the environment's value or one that the service has accepted. For the
   * headers of a user, any value is enough, because the service may not have accepted a request of this user yet.
   */
  #hasItsHeaders({ headerSet }: Operation, asked: WireRequest): boolean {
    const names: readonly HeaderName[] = headerSets[headerSet];
    const isOfUser = (name: HeaderName) => name === 'authorization' || name === 'mm-user-id';
    return names.every((name) => (isOfUser(name) ? Boolean(asked.headers[name]) : this.#isRight(name, asked)));
  }

  /** The service's last response to an accepted request of this operation. Without one, an empty success. */
  #replayed(operation: Operation): Replied {
    const known = this.#accepted.get(requestOf(operation));
    if (known) return known;
    const body = JSON.stringify(successBody(this.#environment.successWhen));
    return { status: 200, type: 'application/json', body };
  }

  #operationOf({ method, path: given }: WireRequest): Operation | undefined {
    const asked = given.split('?')[0] ?? '';
    return [...this.#operations].find(([each, path]) => each.method === method && path.test(asked))?.[0];
  }
}

function userOf({ headers }: WireRequest): string {
  return headers['mm-user-id'] ?? '';
}

function requestOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

function lastSegment({ path }: WireRequest): string {
  return decodeURIComponent(path.split('?')[0]?.split('/').at(-1) ?? '');
}

function refusal(status: number): Replied {
  return { status, type: 'application/json', body: '{"error":"refused by the drill, in place of the service"}' };
}

/** A JSON object that fulfils SUCCESS_WHEN. */
function successBody(rule: SuccessRule | undefined): unknown {
  const names = rule?.pointer.split('/').slice(1) ?? [];
  return names.reduceRight<unknown>((value, name) => ({ [name]: value }), rule ? rule.value : {});
}

/**
 * A JSON value without everything that mentions a token: list entries, and fields whose names mention the token, are left out; any other
 * single value that mentions it becomes null. A list entry that contains a list is kept, without the inner entries that mention the token.
 */
function without(value: unknown, token: string): unknown {
  if (!mentions(value, token)) return value;
  if (Array.isArray(value))
    return value.flatMap((each) =>
      !mentions(each, token) ? [each] : holdsEntries(each) ? [without(each, token)] : [],
    );
  if (typeof value !== 'object' || value === null) return null;
  const kept = Object.entries(value).filter(([key]) => !mentions(key, token));
  return Object.fromEntries(kept.map(([key, each]) => [key, without(each, token)]));
}

/** Whether a value is a list, or has a field that is a list, so that entries can be removed inside it. */
function holdsEntries(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || Object.values(value).some((each) => Array.isArray(each));
}
