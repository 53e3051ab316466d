import { validateRequest } from '../../../schemas/index.ts';
import { fieldsIn, oldValues, overwrittenFields, parsedJson } from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import {
  type HeaderName,
  headerSets,
  type Operation,
  operation as operationOf,
  readProfile,
} from '../../spec/index.ts';
import { type Forward, type Replied, userOf, type WireMemory, type WireRequest } from './act.ts';

type Wire = Pick<WireMemory, 'identities' | 'replayed' | 'isSuccess'>;

/** Some services show empty texts that they refuse: whether this one takes them back, once that is known. */
export interface Blanks {
  areTaken?: boolean;
}

/**
 * Answers in the service's place what would leave a lasting effect there: what can't be undone, and what overwrites a value that
 * could not be saved before. It is strict, as the specification has it: right headers, a valid body, an item that is there.
 */
export class StandIn {
  readonly #wire: Wire;
  readonly #environment: Environment;
  readonly #blanks: Blanks;
  readonly #items: ReadonlySet<string>;
  readonly #deleted = new Set<string>();
  /** The profiles that were read, by user. */
  readonly #profiles = new Map<string, unknown>();

  constructor(wire: Wire, environment: Environment, blanks: Blanks) {
    this.#wire = wire;
    this.#environment = environment;
    this.#blanks = blanks;
    this.#items = new Set(environment.data.storedItemIds);
  }

  /** `undefined`: it may be sent. */
  async reply(operation: Operation, asked: WireRequest, forward: Forward): Promise<Replied | undefined> {
    if (operation.effect !== 'read' && this.#isForeign(asked)) return this.#asForeign(operation, asked, forward);
    const isEntitled = this.#isEntitled(operation, asked);
    if (!(await this.#lasts(operation, asked, isEntitled ? forward : undefined))) return undefined;
    if (!isEntitled) return refusal(401);
    if (operation.request && validateRequest(operation.request, fieldsIn(asked.body)).length > 0) return refusal(400);
    if (operation.method === 'DELETE') {
      const id = lastSegment(asked);
      const isThere = (this.#items.has(id) || this.#wire.identities.isItem(id)) && !this.#deleted.has(id);
      this.#deleted.add(id);
      if (!isThere) return refusal(404);
    }
    return this.#wire.replayed(operation, asked);
  }

  /** The suite is told what the service said: what a user's profile was can be put back from now on. */
  told({ id }: Operation, asked: WireRequest, { body }: Replied): void {
    const profile = id === readProfile.id ? parsedJson(body) : undefined;
    // What can't be read can't be put back.
    if (profile !== undefined) this.#profiles.set(lastSegment(asked), profile);
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
    const looking = { ...asked, method: read.method, path: asked.path.replace(/\/v1\/.*$/, path), body: '' };
    const reply = await forward(looking, true);
    return this.#wire.isSuccess(reply) ? this.#wire.replayed(operation, asked) : reply;
  }

  #isEntitled({ headerSet }: Operation, { headers }: WireRequest): boolean {
    const right = this.#wire.identities.rightHeaders(headers);
    const names = headerSets[headerSet] as readonly HeaderName[];
    return names.every((name) => headers[name] !== undefined && headers[name] === right?.[name]);
  }

  async #lasts({ effect, request }: Operation, asked: WireRequest, forward: Forward | undefined): Promise<boolean> {
    const { identities } = this.#wire;
    const blanks = this.#blanks;
    const user = identities.ofToken(asked.headers.authorization)?.userId ?? userOf(asked);
    if (effect === 'irreversible') return true;
    if (effect !== 'overwriting' || identities.isDisposable(user)) return false;
    const known = request === 'profile' ? this.#profiles.get(user) : undefined;
    const update = { includes: '', ...fieldsIn(asked.body) };
    const old = known === undefined ? undefined : oldValues(known, user, overwrittenFields(update));
    if (!old || !Object.values(old).includes('')) return !old;
    // A profile that is sent as it is changes nothing, and shows whether it could be put back.
    if (forward && blanks.areTaken === undefined) {
      const asItIs = JSON.stringify({ ...old, includes: update.includes });
      blanks.areTaken = this.#wire.isSuccess(await forward({ ...asked, body: asItIs }, true));
    }
    return blanks.areTaken !== true;
  }
}

function lastSegment({ path }: WireRequest): string {
  return decodeURIComponent(path.split('?')[0]?.split('/').at(-1) ?? '');
}

function refusal(status: number): Replied {
  return { status, type: 'application/json', body: '{"error":"refused by the drill, in place of the service"}' };
}
