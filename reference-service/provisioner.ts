import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance } from 'fastify';
import { refuseWith } from './error-body.ts';
import { Refusal } from './refusal.ts';
import { type State, seeded } from './state/index.ts';

/** Largest batch; no test needs more. */
const MOST = 1_000;

/**
 * The helper next to the six areas: creates fresh users and stored items. Its contract is in
 * docs/provisioning.md, for teams that run one next to their own service.
 */
export function provisioner(state: State): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true, genReqId: () => randomUUID() });
  refuseWith(app);
  app.get('/health', async () => ({ ok: true }));
  app.post('/users', async (request) => {
    const count = countOf(request.body);
    return { users: Array.from({ length: count }, () => state.users.addFresh(seeded.clientsOfUsers)) };
  });
  app.post('/items', async (request) => {
    const { userId } = request.body as { userId?: unknown };
    if (typeof userId !== 'string' || !state.users.exists(userId))
      throw new Refusal(400, 'unknown_user', 'userId must name a user');
    return { itemIds: Array.from({ length: countOf(request.body) }, () => state.items.add(userId)) };
  });
  return app;
}

function countOf(body: unknown): number {
  const { count = 1 } = (body ?? {}) as { count?: unknown };
  if (!Number.isInteger(count) || (count as number) < 1 || (count as number) > MOST) {
    throw new Refusal(400, 'invalid_count', `count must be a whole number from 1 to ${MOST}`);
  }
  return count as number;
}
