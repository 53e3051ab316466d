import { validateRequest } from '../../../schemas/index.ts';
import { oldValues, overwrittenFields } from '../../client/middleware/old-profile.ts';
import type { Environment } from '../../config/index.ts';
import { type HeaderName, headerSets, type Operation, readProfile } from '../../spec/index.ts';
import { userOf, type WireMemory } from './act.ts';
import type { Replied, WireRequest } from './proxy.ts';
import { fieldsOf } from './tamper.ts';

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
  readonly #wire: Pick<WireMemory, 'identities' | 'replayed'>;
  readonly #mayLast: () => boolean;
  readonly #items: ReadonlySet<string>;
  readonly #deleted = new Set<string>();
  /** The profiles that were read, by user. */
  readonly #profiles = new Map<string, unknown>();
  readonly #gone: (itemId: string) => void;

  constructor(wire: Pick<WireMemory, 'identities' | 'replayed'>, { data }: Environment, { mayLast, gone }: Lasting) {
    this.#wire = wire;
    this.#mayLast = mayLast;
    this.#gone = gone;
    this.#items = new Set(data.storedItemIds);
  }

  /** `undefined`: it may be sent. */
  reply(operation: Operation, asked: WireRequest): Replied | undefined {
    if (!this.#lasts(operation, asked) || this.#mayLast()) return undefined;
    const right = this.#wire.identities.rightHeaders(asked.headers);
    const names = headerSets[operation.headerSet] as readonly HeaderName[];
    if (names.some((name) => asked.headers[name] === undefined || asked.headers[name] !== right?.[name]))
      return refusal(401);
    if (operation.request && validateRequest(operation.request, fieldsOf(asked.body)).length > 0) return refusal(400);
    if (operation.method === 'DELETE') {
      const id = decodeURIComponent(asked.path.split('/').at(-1) ?? '');
      const isThere = (this.#items.has(id) || this.#wire.identities.isItem(id)) && !this.#deleted.has(id);
      this.#deleted.add(id);
      if (!isThere) return refusal(404);
    }
    return this.#wire.replayed(operation, asked);
  }

  /** The service accepted a request. What a user's profile was is known from now on, and that an item is gone. */
  passed({ id, method }: Operation, asked: WireRequest, { body }: Replied): void {
    const last = decodeURIComponent(asked.path.split('?')[0]?.split('/').at(-1) ?? '');
    if (method === 'DELETE') this.#gone(last);
    if (id !== readProfile.id) return;
    try {
      this.#profiles.set(last, JSON.parse(body));
    } catch {
      // What can't be read can't be put back.
    }
  }

  #lasts({ effect, request }: Operation, asked: WireRequest): boolean {
    const { identities } = this.#wire;
    const user = identities.ofToken(asked.headers.authorization)?.userId ?? userOf(asked);
    if (effect === 'irreversible') return true;
    if (effect !== 'overwriting' || identities.isDisposable(user)) return false;
    const known = request === 'profile' ? this.#profiles.get(user) : undefined;
    const fields = overwrittenFields({ includes: '', ...fieldsOf(asked.body) } as never);
    return known === undefined || oldValues(known, user, fields) === undefined;
  }
}

function refusal(status: number): Replied {
  return { status, type: 'application/json', body: '{"error":"refused by the drill, in place of the service"}' };
}
