import type { Caller, Credential, SessionContext } from '../../call/index.ts';
import { counted, type Environment, problemOfSecret } from '../../environment/index.ts';
import { Deadline, type RoutedRequest } from '../../http/index.ts';
import { type Redactor, Secret } from '../../redaction/index.ts';
import { SuiteFault } from '../../verdict/index.ts';
import { Skipped } from '../specs/tags.ts';
import type { InventedData } from './test-data.ts';

export interface Users {
  readonly caller: Caller;
  readonly friend: { readonly userId: string; readonly accessToken?: Credential };
  readonly stranger: { readonly userId: string; readonly accessToken?: Credential };
  readonly anotherStranger: { readonly userId: string };
}

const actors = {
  friend: 'a second user: FRIEND_USER_ID and FRIEND_ACCESS_TOKEN, or PROVISION_URL',
  stranger: 'a third user who can sign in: PROVISION_URL',
};

export type Actor = 'caller' | keyof typeof actors;

export function moreUsers({ friend, data }: Pick<Environment, 'friend' | 'data'>): string {
  const more = data.otherUserIds.length > 0 ? 'more OTHER_USER_IDS' : 'OTHER_USER_IDS';
  return `${friend.userId === undefined ? 'FRIEND_USER_ID' : more} or PROVISION_URL`;
}

/** The users of a scenario. With a provisioner they are fresh; otherwise they are the environment's, and further ones are invented. */
export async function findUsers(
  { caller, friend, data: { otherUserIds } }: Environment,
  provisioner: Provisioner | undefined,
  data: InventedData,
  redactor: Redactor,
): Promise<Users> {
  if (!provisioner) {
    const known = otherUserIds.filter((id) => id !== friend.userId && id !== caller.userId);
    const next = () => known.shift() ?? data.idLike(caller.userId);
    return {
      caller,
      friend: { ...friend, userId: friend.userId ?? next() },
      stranger: { userId: next() },
      anotherStranger: { userId: next() },
    };
  }
  const [first, second, third, fourth] = (await provisioner.users(4)).map(({ userId, accessToken }) => ({
    userId,
    accessToken: new Secret(accessToken),
  }));
  if (!first || !second || !third || !fourth)
    throw new Error('unreachable: the provisioner was checked to give four users');
  redactor.add(first.accessToken, second.accessToken, third.accessToken, fourth.accessToken);
  return { caller: { ...caller, ...first }, friend: second, stranger: third, anotherStranger: fourth };
}

/** The credentials of an actor, with its name in steps and messages. @throws Skipped if the actor can't sign in. */
export function signIn({ caller, ...others }: Users, as: Actor): { readonly caller: Caller; readonly name: string } {
  if (as === 'caller') {
    if (!caller.accessToken) throw new Skipped('needs ACCESS_TOKEN');
    return { caller, name: '' };
  }
  const { userId, accessToken } = others[as];
  if (!accessToken) throw new Skipped(`needs ${actors[as]}`);
  return { caller: { ...caller, userId, accessToken }, name: `the ${as}` };
}

export interface ProvisionedUser {
  readonly userId: string;
  readonly accessToken: string;
}

/** The provisioner failed, so the suite can't judge: a problem on our side, never the service's. */
export class ProvisionFailed extends SuiteFault {
  override readonly name = 'ProvisionFailed';
  override readonly category = 'unknown';
  override readonly lacks = 'provisioner';
}

export type Ask = (url: URL, request: RoutedRequest) => Promise<{ readonly status: number; readonly body: string }>;

interface Way {
  readonly ask: Ask;
  readonly timeoutMs: number;
  readonly correlation: SessionContext['correlation'];
}

export type Provisioner = ReturnType<typeof provisionerAt>;

/** Asks the service at PROVISION_URL for fresh users and stored items. docs/test-data.md describes the requests. */
export function provisionerAt(base: URL, { ask, timeoutMs, correlation }: Way) {
  async function made<T>(what: string, body: object): Promise<T> {
    const url = new URL(what, base);
    const limit = new Deadline(timeoutMs);
    const headers = { 'content-type': 'application/json', accept: 'application/json', ...correlation() };
    try {
      const request = { method: 'POST', headers, body: JSON.stringify(body), signal: limit.signal };
      const { status, body: answer } = await ask(url, request);
      if (status < 200 || status > 299) throw new ProvisionFailed(`POST ${url} returned status ${status}`);
      const json: unknown = JSON.parse(answer);
      if (typeof json === 'object' && json !== null) return json as T;
      throw new TypeError('not a JSON object');
    } catch (error) {
      // The message of the HTTP library isn't shown, because it would contain the whole log of the call.
      if (error instanceof ProvisionFailed) throw error;
      throw new ProvisionFailed(`POST ${url} did not respond as a provisioner must (PROVISION_URL, docs/test-data.md)`);
    } finally {
      limit.end();
    }
  }

  return {
    users: async (count: number): Promise<ProvisionedUser[]> => {
      const { users } = await made<{ users: ProvisionedUser[] }>('users', { count });
      const isComplete = Array.isArray(users) && users.length === count && users.every(isUser);
      const problem = isComplete
        ? users.map(({ accessToken }) => problemOfSecret(accessToken)).find(Boolean)
        : undefined;
      if (problem) throw new ProvisionFailed(`an accessToken of ${base.href}users ${problem}`);
      if (isComplete) return users;
      const wanted = `${counted(count, 'user')} with userId and accessToken`;
      throw new ProvisionFailed(`${base.href}users did not return exactly ${wanted}`);
    },
    items: async (userId: string, count: number): Promise<string[]> => {
      const { itemIds } = await made<{ itemIds: string[] }>('items', { userId, count });
      if (Array.isArray(itemIds) && itemIds.length === count && itemIds.every(isText)) return itemIds;
      throw new ProvisionFailed(`${base.href}items did not return exactly ${counted(count, 'item id')}`);
    },
  };
}

/** Whether id and token are strings. A token of another type would cause an error later, and its message would show the token. */
function isUser({ userId, accessToken }: ProvisionedUser): boolean {
  return [userId, accessToken].every(isText);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
