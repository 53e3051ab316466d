import { randomBytes, randomUUID } from 'node:crypto';
import { ok } from './handler-request.ts';
import { JsonServer, type Route } from './json-server.ts';
import { Refusal } from './refusal.ts';
import { type State, seeded } from './state/index.ts';

const MOST = 1_000;

/**
 * The provisioner: a server next to the six areas that creates fresh users and stored items. docs/test-data.md describes its interface, for
 * teams that run a provisioner next to their own service.
 */
export function provisioner(state: State): JsonServer {
  const post = (path: string, handle: (body: Record<string, unknown>) => unknown): Route => ({
    method: 'POST',
    path,
    handle: async (_, readBody) => ok(handle(((await readBody()) ?? {}) as Record<string, unknown>)),
  });
  return new JsonServer([
    { method: 'GET', path: '/health', handle: () => ok({ ok: true }) },
    post('/users', ({ count = 1 }) => ({ users: Array.from({ length: checked(count) }, () => freshUser(state)) })),
    post('/items', ({ userId, count = 1 }) => {
      if (typeof userId !== 'string' || !state.users.find({ userId }))
        throw new Refusal(400, 'unknown_user', 'userId must name a user');
      const itemIds = Array.from({ length: checked(count) }, () => `item-${randomUUID()}`);
      for (const itemId of itemIds) state.items.add({ itemId, owner: userId });
      return { itemIds };
    }),
  ]);
}

function freshUser(state: State) {
  const user = { userId: `user-${randomUUID()}`, accessToken: `tok_${randomBytes(24).toString('base64url')}` };
  state.users.add({ ...user, clientId: seeded.client.clientId });
  return user;
}

function checked(count: unknown): number {
  if (!Number.isInteger(count) || (count as number) < 1 || (count as number) > MOST)
    throw new Refusal(400, 'invalid_count', `count must be a whole number from 1 to ${MOST}`);
  return count as number;
}
