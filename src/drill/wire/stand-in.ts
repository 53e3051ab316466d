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
export function standIn(wire: Wire, environment: Environment, blanks: Blanks) {
  const { identities } = wire;
  /** Those that were read, by user. */
  const profiles = new Map<string, unknown>();

  /** `undefined`: it may be sent. */
  async function reply(operation: Operation, asked: WireRequest, forward: Forward): Promise<Replied | undefined> {
    if (operation.effect !== 'read' && isForeign(asked)) return asForeign(operation, asked, forward);
    const isEntitled = hasRightHeaders(operation, asked);
    if (!(await lasts(operation, asked, isEntitled ? forward : undefined))) return undefined;
    if (!isEntitled) return refusal(401);
    if (operation.request && validateRequest(operation.request, fieldsIn(asked.body)).length > 0) return refusal(400);
    if (operation.method === 'DELETE' && !identities.items.delete(lastSegment(asked))) return refusal(404);
    return wire.replayed(operation, asked);
  }

  /** The suite is told what the service said: what a user's profile was can be put back from now on. */
  function told({ id }: Operation, asked: WireRequest, { body }: Replied): void {
    const profile = id === readProfile.id ? parsedJson(body) : undefined;
    // What can't be read can't be put back.
    if (profile !== undefined) profiles.set(lastSegment(asked), profile);
  }

  /** A change in the name of another user than the token's could not be undone by anybody. */
  function isForeign({ headers }: WireRequest): boolean {
    const owner = identities.ofToken(headers.authorization)?.userId;
    return owner !== undefined && Boolean(headers['mm-user-id']) && headers['mm-user-id'] !== owner;
  }

  /** Whether the service takes a token for any user is asked with a read of the same area. */
  async function asForeign(operation: Operation, asked: WireRequest, forward: Forward): Promise<Replied> {
    const { blockListSegments, data, readProfile: own, caller } = environment;
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
    return wire.isSuccess(reply) ? wire.replayed(operation, asked) : reply;
  }

  function hasRightHeaders({ headerSet }: Operation, { headers }: WireRequest): boolean {
    const right = identities.rightHeaders(headers);
    const names = headerSets[headerSet] as readonly HeaderName[];
    return names.every((name) => headers[name] !== undefined && headers[name] === right?.[name]);
  }

  async function lasts(
    { effect, request }: Operation,
    asked: WireRequest,
    forward: Forward | undefined,
  ): Promise<boolean> {
    const user = identities.ofToken(asked.headers.authorization)?.userId ?? userOf(asked);
    if (effect === 'irreversible') return true;
    if (effect !== 'overwriting' || identities.disposable.has(user)) return false;
    const known = request === 'profile' ? profiles.get(user) : undefined;
    const update = { includes: '', ...fieldsIn(asked.body) };
    const old = known === undefined ? undefined : oldValues(known, user, overwrittenFields(update));
    if (!old || !Object.values(old).includes('')) return !old;
    // A profile that is sent as it is changes nothing, and shows whether it could be put back.
    if (forward && blanks.areTaken === undefined) {
      const asItIs = JSON.stringify({ ...old, includes: update.includes });
      blanks.areTaken = wire.isSuccess(await forward({ ...asked, body: asItIs }, true));
    }
    return blanks.areTaken !== true;
  }

  return { reply, told };
}

function lastSegment({ path }: WireRequest): string {
  return decodeURIComponent(path.split('?')[0]?.split('/').at(-1) ?? '');
}

function refusal(status: number): Replied {
  return { status, type: 'application/json', body: '{"error":"refused by the drill, in place of the service"}' };
}
