import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { validateRequest } from '../schemas/index.ts';
import { type AreaId, type Operation, operation, operationIds, readProfile } from '../src/spec/index.ts';
import { assumed } from './assumptions/values.ts';
import { authenticate } from './authenticate.ts';
import { frameworkErrors, refuseWith } from './error-body.ts';
import type { FaultSwitch } from './faults/fault-switch.ts';
import { letFaultsAt } from './faults/hooks.ts';
import type { Handler } from './handler-request.ts';
import { readProfile as handleReadProfile, served } from './handlers/index.ts';
import { Refusal } from './refusal.ts';
import type { State } from './state/index.ts';

/** This service's request for operation 12, which the specification doesn't show. */
export const ownReadProfile: Operation = { ...readProfile, method: 'GET', path: '/v1/profile/{userId}' };

/** The HTTP server of one area with its operations' routes; it doesn't listen yet. */
export function areaServer(area: AreaId, state: State, faults: FaultSwitch, quiet = false): FastifyInstance {
  const app = Fastify({
    bodyLimit: assumed.maxBodyBytes,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    frameworkErrors,
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: 2_000 },
  });
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id));
  letFaultsAt(app, faults);
  refuseWith(app, quiet);
  const all: [Operation, Handler][] = operationIds.map((id) => [operation(id), served[id].handle as Handler]);
  if (area === ownReadProfile.area) all.push([ownReadProfile, handleReadProfile as Handler]);
  const routes = all.filter(([entry]) => entry.area === area);
  for (const [entry, handler] of routes) {
    // Operations 11 and 12 share one request, so the first of them serves both.
    const isShared = app.hasRoute({ method: entry.method, url: routePath(entry) });
    if (!isShared) addRoute(app, state, faults, entry, handler);
  }
  refuseOtherMethods(
    app,
    routes.map(([entry]) => entry),
  );
  return app;
}

function addRoute(app: FastifyInstance, state: State, faults: FaultSwitch, entry: Operation, original: Handler): void {
  const identities = new WeakMap<FastifyRequest, ReturnType<typeof authenticate>>();
  app.route({
    method: entry.method,
    url: routePath(entry),
    config: { operation: entry.id },
    // Before the body is read: unauthenticated callers learn nothing about valid bodies.
    onRequest: async (request) => {
      const read = (name: string) => {
        const value = request.headers[name];
        return Array.isArray(value) ? value[0] : value;
      };
      identities.set(request, authenticate(state, entry, read, faults.unchecked(entry.id, read)));
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const args = entry.request
        ? faults.validator(entry.id, validBody)(entry, request.body)
        : (request.params as Record<string, string>);
      const identity = identities.get(request);
      if (!identity) throw new Error('a request reached its handler without an identity');
      const { status, body } = faults.handler(entry.id, original)({ state, ...identity, args, now: new Date() });
      // Fastify would send a bare string as text.
      if (typeof body === 'string') return reply.code(status).type('application/json').send(JSON.stringify(body));
      return reply.code(status).send(body);
    },
  });
}

function validBody(entry: Operation, body: unknown): unknown {
  const problems = entry.request ? validateRequest(entry.request, body) : [];
  if (problems.length === 0) return body;
  const text = problems.map(({ path, message }) => `${path || 'body'}: ${message}`).join('; ');
  throw new Refusal(assumed.invalidBody, 'invalid_body', text);
}

function refuseOtherMethods(app: FastifyInstance, entries: readonly Operation[]): void {
  const byPath = Map.groupBy(entries, routePath);
  for (const [url, served] of byPath) {
    const allowed = [...new Set(served.map(({ method }) => method as string))];
    const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
      (method) => !allowed.includes(method),
    );
    app.route({
      method: others as 'GET'[],
      url,
      config: { operation: served[0]?.id ?? '' },
      onRequest: async () => {
        throw new Refusal(assumed.methodNotAllowed, 'method_not_allowed', `this path takes ${allowed.join(', ')}`, {
          allow: allowed.join(', '),
        });
      },
      handler: async () => undefined,
    });
  }
}

function routePath({ path }: Operation): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
