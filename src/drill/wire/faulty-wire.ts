import { isDeepStrictEqual } from 'node:util';
import {
  type Exchange,
  fieldsIn,
  idIn,
  isSuccess as isSuccessOf,
  parsedJson,
  type SuccessRule,
  valueAt,
} from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import { type Operation, operation, operationIds } from '../../spec/index.ts';
import {
  type Forward,
  type Replied,
  type Reply,
  retold,
  type SeenChange,
  userOf,
  type WireFault,
  type WireMemory,
  type WireRequest,
} from './act.ts';
import { Identities } from './identities.ts';
import { type Blanks, standIn } from './stand-in.ts';

interface Success {
  readonly asked: Pick<WireRequest, 'body'>;
  readonly reply: Replied;
}

/** A wire with at most one fault, which can be switched. While there is none, it keeps the last success of each operation. */
export class FaultyWire implements WireMemory {
  fault: WireFault | undefined;
  met = 0;
  readonly kept = new Map<string, Replied>();
  readonly firsts = new Map<string, unknown>();
  readonly changes: SeenChange[] = [];
  readonly identities: Identities;
  readonly slowMs: number;
  readonly lagMs: number;
  /** With the paths that they have. */
  readonly #operations: ReadonlyMap<Operation, RegExp>;
  readonly #successes = new Map<string, Success>();
  readonly #rule: SuccessRule | undefined;
  readonly #standIn: ReturnType<typeof standIn> | undefined;

  /**
   * `learned`: what was accepted while nothing was broken. `blanks`: of a service that nothing may be done to for good; default:
   * whatever lasts may be done.
   */
  constructor(environment: Environment, learned: readonly Exchange[] = [], blanks?: Blanks) {
    const { readProfile, successWhen, slowAfterMs, consistencyTimeoutMs } = environment;
    const all = [...operationIds.map(operation), ...(readProfile ? [readProfile] : [])];
    this.#operations = new Map(all.map((each) => [each, new RegExp(`${each.path.replace(/\{\w+\}/g, '[^/]+')}$`)]));
    this.#rule = successWhen;
    this.identities = new Identities(environment);
    this.slowMs = slowAfterMs + 100;
    this.lagMs = 3 * consistencyTimeoutMs + 500;
    for (const { operation: id, request, response } of learned) {
      const known = all.find((each) => each.id === id);
      if (!known || !response || !isSuccessOf(id, response, successWhen)) continue;
      const type = response.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? null;
      const reply = { status: response.status, type, body: response.body.text };
      this.#successes.set(requestOf(known), { asked: { body: request.body ?? '' }, reply });
    }
    this.#standIn = blanks && standIn(this, environment, blanks);
  }

  /** The reply to a request that the service doesn't answer by itself; `undefined`: it does. */
  async reply(asked: WireRequest, forward: Forward): Promise<Reply> {
    const met = this.operationOf(asked);
    if (!met) return undefined;
    const guarded: Forward = async (changed) => (await this.#standIn?.reply(met, changed, forward)) ?? forward(changed);
    const { fault } = this;
    const isBroken = fault && requestOf(fault.operation) === requestOf(met);
    const reply = isBroken ? await fault.way.act({ operation: met, asked, forward: guarded, wire: this }) : undefined;
    if (reply !== undefined) this.met++;
    this.#note(met, asked);
    return reply ?? (await this.#standIn?.reply(met, asked, forward));
  }

  passed(asked: WireRequest, reply: Replied): void {
    const met = this.operationOf(asked);
    if (!met || !this.isSuccess(reply)) return;
    this.#successes.set(requestOf(met), { asked, reply });
    this.#standIn?.told(met, asked, reply);
  }

  /** What the service said of such a request when it accepted one, or a success of no shape. */
  replayed(broken: Operation, asked: WireRequest): Replied {
    const known = this.#successes.get(requestOf(broken));
    if (known) return { ...known.reply, body: retold(known.reply.body, known.asked.body, asked.body) };
    return { status: 200, type: 'application/json', body: JSON.stringify(successBody(this.#rule)) };
  }

  isSuccess({ status, body }: Replied): boolean {
    if (status >= 300 || !this.#rule) return status < 300;
    return isDeepStrictEqual(valueAt(parsedJson(body), this.#rule.pointer), this.#rule.value);
  }

  operationOf({ method, path: given }: Pick<WireRequest, 'method' | 'path'>): Operation | undefined {
    const asked = given.split('?')[0] ?? '';
    return [...this.#operations].find(([each, path]) => each.method === method && path.test(asked))?.[0];
  }

  #note({ id }: Operation, asked: WireRequest): void {
    const change = operationIds
      .map(operation)
      .find(({ id: own, undo, shownBy }) => shownBy && (own === id || undo === id));
    const changed = idIn(fieldsIn(asked.body));
    if (!change?.undo || !changed) return;
    const isUndo = change.id !== id;
    this.changes.push({ user: userOf(asked), id: changed, undo: change.undo, isUndo, at: performance.now() });
  }
}

/** A JSON object in which the value of SUCCESS_WHEN is where it should be. */
function successBody(rule: SuccessRule | undefined): unknown {
  if (!rule) return {};
  const names = rule.pointer.split('/').slice(1);
  return names.reduceRight<unknown>((value, name) => ({ [name]: value }), rule.value);
}

function requestOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}
