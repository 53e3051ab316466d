import { type Caller, type Credential, type Redactor, Secret } from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import { Skipped } from '../specs/skip.ts';
import type { Provisioner } from './provisioner.ts';
import type { InventedData } from './test-data.ts';

export interface Users {
  readonly caller: Caller;
  readonly friend: { readonly userId: string; readonly accessToken?: Credential };
  readonly stranger: { readonly userId: string; readonly accessToken?: Credential };
  /** A fourth user. */
  readonly anotherStranger: { readonly userId: string };
}

const actors = {
  friend: 'a second user: FRIEND_USER_ID and FRIEND_ACCESS_TOKEN, or PROVISION_URL',
  stranger: 'a third user who can sign in: PROVISION_URL',
};

/** The users who can sign in. */
export type Actor = 'caller' | keyof typeof actors;

/** What provides one more user who exists. */
export function moreUsers({ friend, data }: Pick<Environment, 'friend' | 'data'>): string {
  const more = data.otherUserIds.length > 0 ? 'more OTHER_USER_IDS' : 'OTHER_USER_IDS';
  return `${friend.userId === undefined ? 'FRIEND_USER_ID' : more} or PROVISION_URL`;
}

/** The users of a scenario: fresh ones with a provisioner, otherwise the environment's and invented ones. */
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

/** The caller for an actor, with its name in steps and messages. @throws Skipped if it can't sign in. */
export function signIn({ caller, ...others }: Users, as: Actor): { readonly caller: Caller; readonly name: string } {
  if (as === 'caller') {
    if (!caller.accessToken) throw new Skipped('needs ACCESS_TOKEN');
    return { caller, name: '' };
  }
  const { userId, accessToken } = others[as];
  if (!accessToken) throw new Skipped(`needs ${actors[as]}`);
  return { caller: { ...caller, userId, accessToken }, name: `the ${as}` };
}
