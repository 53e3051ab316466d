import { validateRequest } from '../../../schemas/index.ts';
import { oldValues, overwrittenFields } from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import {
  type HeaderName,
  headerSets,
  type Operation,
  operation as operationOf,
  readProfile,
} from '../../spec/index.ts';
import { userOf, type WireMemory } from './act.ts';
import type { Forward, Replied, WireRequest } from './proxy.ts';
import { fieldsOf } from './tamper.ts';

type Wire = Pick<WireMemory, 'identities' | 'replayed' | 'isSuccess'>;

/** What may be done to a service for good. */
export interface Lasting {
  /** Takes one off the number of requests whose effects last; false: none is left. */
  readonly mayLast: () => boolean;
  /** An item was deleted. */
  readonly gone: (itemId: string) => void;
}

/**
 * Answers in the service's place what would leave a lasting effect there: what can't be undone, and what overwrites a value that
 * could not be saved before. It is strict, as the specification has it: right headers, a valid body, an item that is there.
 */
export class StandIn {
  readonly #wire: Wire;
  readonly #environment: Environment;
  readonly #mayLast: () => boolean;
  readonly #items: ReadonlySet<string>;
  readonly #deleted = new Set<string>();
  /** The profiles that were read, by user. */
  readonly #profiles = new Map<string, unknown>();
  readonly #gone: (itemId: string) => void;

  constructor(wire: Wire, environment: Environment, { mayLast, gone }: Lasting) {
    this.#wire = wire;
    this.#environment = environment;
    this.#mayLast = mayLast;
    this.#gone = gone;
    this.#items = new Set(environment.data.storedItemIds);
  }

  /** `undefined`: it may be sent. */
  async reply(operation: Operation, asked: WireRequest, forward: Forward): Promise<Replied | undefined> {
    if (operation.effect !== 'read' && this.#isForeign(asked)) return this.#asForeign(operation, asked, forward);
    if (!this.#lasts(operation, asked) || this.#mayLast()) return undefined;
    const right = this.#wire.identities.rightHeaders(asked.headers);
    const names = headerSets[operation.headerSet] as readonly HeaderName[];
    if (names.some((name) => asked.headers[name] === undefined || asked.headers[name] !== right?.[name]))
      return refusal(401);
    if (operation.request && validateRequest(operation.request, fieldsOf(asked.body)).length > 0) return refusal(400);
    if (operation.method === 'DELETE') {
      const id = lastSegment(asked);
      const isThere = (this.#items.has(id) || this.#wire.identities.isItem(id)) && !this.#deleted.has(id);
      this.#deleted.add(id);
      if (!isThere) return refusal(404);
    }
    return this.#wire.replayed(operation, asked);
  }

  /** The service accepted a request, whatever the suite is told of it. */
  accepted({ method }: Operation, asked: WireRequest): void {
    if (method === 'DELETE') this.#gone(lastSegment(asked));
  }

  /** The suite is told what the service said: what a user's profile was can be put back from now on. */
  told({ id }: Operation, asked: WireRequest, { body }: Replied): void {
    if (id !== readProfile.id) return;
    try {
      this.#profiles.set(lastSegment(asked), JSON.parse(body));
    } catch {
      // What can't be read can't be put back.
    }
  }

  /** A change in the name of another user than the token's could not be undone by anybody. */
  #isForeign({ headers }: WireRequest): boolean {
    const owner = this.#wire.identities.ofToken(headers.authorization)?.userId;
    return owner !== undefined && Boolean(headers['mm-user-id']) && headers['mm-user-id'] !== owner;
  }

  /** Whether the service takes a token for any user is asked with a read of the same area. */
  async #asForeign(operation: Operation, asked: WireRequest, forward: Forward): Promise<Replied> {
    const { blockListSegments, data, readProfile: own, caller } = this.#environment;
    const reads = [operationOf('listBlocked'), operationOf('reportOptions'), ...(own ? [own] : [])];
    const read = reads.find(({ area }) => area === operation.area);
    if (!read) return refusal(401);
    const values: Readonly<Record<string, string | undefined>> = {
      ...blockListSegments,
      language: data.reportLanguage,
      userId: caller.userId,
    };
    const path = read.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
    const reply = await forward({
      ...asked,
      method: read.method,
      path: asked.path.replace(/\/v1\/.*$/, path),
      body: '',
    });
    return this.#wire.isSuccess(reply) ? this.#wire.replayed(operation, asked) : reply;
  }

  #lasts({ effect, request }: Operation, asked: WireRequest): boolean {
    const { identities } = this.#wire;
    const user = identities.ofToken(asked.headers.authorization)?.userId ?? userOf(asked);
    if (effect === 'irreversible') return true;
    if (effect !== 'overwriting' || identities.isDisposable(user)) return false;
    const known = request === 'profile' ? this.#profiles.get(user) : undefined;
    const fields = overwrittenFields({ includes: '', ...fieldsOf(asked.body) } as never);
    const old = known === undefined ? undefined : oldValues(known, user, fields);
    // Some services show empty texts that they refuse, so these can't be put back for certain.
    return old === undefined || Object.values(old).includes('');
  }
}

function lastSegment({ path }: WireRequest): string {
  return decodeURIComponent(path.split('?')[0]?.split('/').at(-1) ?? '');
}

function refusal(status: number): Replied {
  return { status, type: 'application/json', body: '{"error":"refused by the drill, in place of the service"}' };
}
