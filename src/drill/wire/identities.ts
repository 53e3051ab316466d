import { type Caller, headerValue, Secret } from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import { type HeaderName, headers } from '../../spec/index.ts';

/** The users that a drill knows: the environment's, and those that a provisioner made. */
export class Identities {
  readonly #callers: Caller[];
  readonly items: Set<string>;
  /** Users who are gone after the scenario. */
  readonly disposable = new Set<string>();

  constructor({ caller, friend, data }: Environment) {
    const { userId, accessToken } = friend;
    this.#callers = [caller, ...(userId && accessToken ? [{ ...caller, userId, accessToken }] : [])];
    this.items = new Set(data.storedItemIds);
  }

  /** What a provisioner answered: users with their tokens, or ids of items. */
  provisioned(body: string): void {
    const { users, itemIds } = JSON.parse(body) as {
      users?: { userId: string; accessToken: string }[];
      itemIds?: string[];
    };
    const [caller] = this.#callers as [Caller];
    for (const { userId, accessToken } of users ?? []) {
      this.#callers.push({ ...caller, userId, accessToken: new Secret(accessToken) });
      this.disposable.add(userId);
    }
    for (const id of itemIds ?? []) this.items.add(id);
  }

  isUser(userId: string | undefined): boolean {
    return this.#callers.some((each) => each.userId === userId);
  }

  /** The user of an Authorization header in clear. */
  ofToken(authorization: string | undefined): Caller | undefined {
    const token = authorization?.replace(/^\S+ /, '');
    return token === undefined ? undefined : this.#callers.find(({ accessToken }) => accessToken?.reveal() === token);
  }

  /** All headers as they should be in a request: of its token's user, else of the user it names. `undefined` where neither is known. */
  rightHeaders(given: Readonly<Record<string, string>>): Partial<Record<HeaderName, string>> | undefined {
    const named = this.#callers.find(({ userId }) => userId === given['mm-user-id']);
    const caller =
      this.ofToken(given.authorization) ??
      named ??
      (given.authorization === undefined && !given['mm-user-id'] ? this.#callers[0] : undefined);
    if (!caller) return undefined;
    const known = (Object.keys(headers) as HeaderName[]).filter(
      (name) => (name !== 'authorization' || caller.accessToken) && (name !== 'mm-api-key' || caller.apiKey),
    );
    return Object.fromEntries(
      known.map((name) => {
        const { masked, secret } = headerValue(caller, name);
        return [name, secret ?? masked];
      }),
    );
  }
}
