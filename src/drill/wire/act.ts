import type { FaultKind } from '../../../reference-service/index.ts';
import { fieldsIn, mentions, parsedJson } from '../../client/index.ts';
import type { HeaderName, Operation } from '../../spec/index.ts';
import type { Identities } from './identities.ts';

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface Replied {
  readonly status: number;
  readonly type: string | null;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** How long it is kept back, in ms. */
  readonly afterMs?: number;
}

/** Forwards a request to the service; one that changes nothing is sent beside that of the suite, to find something out. */
export type Forward = (asked: WireRequest, changesNothing?: boolean) => Promise<Replied>;

/** What a request gets; `undefined`: it passes untouched. */
export type Reply = Replied | 'reset' | 'silence' | undefined;

export interface SeenChange {
  readonly user: string;
  readonly id: string;
  readonly undo: string;
  readonly isUndo: boolean;
  /** Monotonic, in ms. */
  readonly at: number;
}

export interface WireMemory {
  readonly identities: Identities;
  readonly changes: readonly SeenChange[];
  readonly kept: Map<string, Replied>;
  /** The first default of each user, and the first path. */
  readonly firsts: Map<string, unknown>;
  /** How long a slow response takes, and how long a list lags behind that lags too long; in ms. */
  readonly slowMs: number;
  readonly lagMs: number;
  isSuccess(reply: Replied): boolean;
  /** What the service said of such a request when it accepted one, or a success of no shape. */
  replayed(operation: Operation, asked: WireRequest): Replied;
}

export interface Met {
  readonly operation: Operation;
  readonly asked: WireRequest;
  /** To the service; what would last, and may not, is answered without it. */
  readonly forward: Forward;
  readonly wire: WireMemory;
}

export type Act = (met: Met) => Reply | Promise<Reply>;

export interface Way {
  readonly id: string;
  readonly kind: FaultKind;
  readonly on: (operation: Operation) => boolean;
  /** After the operation's id; default: the way's id. The reference service's catalogue has the same names. */
  readonly name?: (operation: Operation) => string;
  readonly act: Act;
  readonly header?: HeaderName;
  /** Why nobody can see it from outside; `canRead`: whether a profile can be read. */
  readonly survives?: (operation: Operation, canRead: boolean) => string | undefined;
  /** What a scenario needs to meet it, beside the request. */
  readonly needs?: string;
}

type Row = Omit<Way, 'id' | 'kind' | 'on'>;

/** Ways of one kind to break the same operations, by their ids; an act alone where that is all. */
export function waysOf(kind: FaultKind, on: Way['on'], table: Readonly<Record<string, Act | Row>>): Way[] {
  return Object.entries(table).map(([id, row]) => ({
    id,
    kind,
    on,
    ...(typeof row === 'function' ? { act: row } : row),
  }));
}

/** One operation, broken in one way, whatever the service behind it is. */
export interface WireFault {
  readonly name: string;
  readonly operation: Operation;
  readonly way: Way;
}

/** Forwards the request, and changes the body of what is accepted. */
export function altered(change: (body: string, met: Met) => string): Act {
  return async (met) => {
    const reply = await met.forward(met.asked);
    return met.wire.isSuccess(reply) ? { ...bodied(reply), body: change(reply.body, met) } : reply;
  };
}

export function bodied(reply: Replied): Replied {
  return reply.body === '' ? { ...reply, status: 200, type: 'application/json' } : reply;
}

export function instead(change: (met: Met) => Partial<Pick<WireRequest, 'path' | 'body' | 'headers'>>): Act {
  return (met) => met.forward({ ...met.asked, ...change(met) });
}

export function userOf({ headers }: WireRequest): string {
  return headers['mm-user-id'] ?? '';
}

export function inJson(body: string, change: (json: unknown) => unknown): string {
  const json = parsedJson(body);
  return json === undefined ? body : (JSON.stringify(change(json)) ?? 'null');
}

/** A JSON value without the entries that mention a token: of lists and of maps the smallest ones, elsewhere the value alone. */
export function without(value: unknown, token: string): unknown {
  if (!mentions(value, token)) return value;
  if (Array.isArray(value))
    return value.flatMap((each) =>
      !mentions(each, token) ? [each] : holdsEntries(each) ? [without(each, token)] : [],
    );
  if (typeof value !== 'object' || value === null) return null;
  const kept = Object.entries(value).filter(([key]) => !mentions(key, token));
  return Object.fromEntries(kept.map(([key, each]) => [key, without(each, token)]));
}

/** Whether there is a list in it, or a map below it, that its entries can be taken from. */
function holdsEntries(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || Object.values(value).some((each) => Array.isArray(each));
}

export function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, emptied(each)]));
}

/** The same JSON with null for each text that mentions a token. */
export function nulled(value: unknown, token: string): unknown {
  if (Array.isArray(value)) return value.map((each) => nulled(each, token));
  if (typeof value !== 'object' || value === null) return mentions(value, token) ? null : value;
  const entries = Object.entries(value).map(([key, each]) => [
    mentions(key, token) ? 'null' : key,
    nulled(each, token),
  ]);
  return Object.fromEntries(entries);
}

/** A response to one request as if it were to another: the texts of its body stand for the other's. */
export function retold(body: string, from: string, to: string): string {
  const after = fieldsIn(to);
  return Object.entries(fieldsIn(from)).reduce((text, [name, value]) => {
    const now = after[name];
    return typeof value === 'string' && value !== '' && typeof now === 'string'
      ? text.replaceAll(value, () => now)
      : text;
  }, body);
}
