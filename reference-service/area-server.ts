import { validateRequest } from '../schemas/index.ts';
import { type AreaId, type Operation, operation, operationIds, readProfile } from '../src/spec/index.ts';
import { assumed } from './assumptions/values.ts';
import { authenticate } from './authenticate.ts';
import type { FaultSwitch } from './faults/fault-switch.ts';
import type { Handler } from './handler-request.ts';
import { readProfile as handleReadProfile, served } from './handlers/index.ts';
import { JsonServer, type Route } from './json-server.ts';
import { Refusal } from './refusal.ts';
import type { State } from './state/index.ts';

/** This service's request for operation 12, which the specification doesn't show. */
export const ownReadProfile: Operation = { ...readProfile, method: 'GET', path: '/v1/profile/{userId}' };

/** The HTTP server of one area with its operations' routes; it doesn't listen yet. */
export function areaServer(area: AreaId, state: State, faults: FaultSwitch, quiet = false): JsonServer {
  const all: [Operation, Handler][] = operationIds.map((id) => [operation(id), served[id].handle as Handler]);
  if (area === ownReadProfile.area) all.push([ownReadProfile, handleReadProfile as Handler]);
  // Operations 11 and 12 share one request, so the first of them serves both.
  const routes = all
    .filter(([entry]) => entry.area === area)
    .map(([entry, handler]) => routeOf(state, faults, entry, handler));
  return new JsonServer({ routes, hooks: faults, quiet });
}

function routeOf(state: State, faults: FaultSwitch, entry: Operation, original: Handler): Route {
  const { id, method, path } = entry;
  return {
    ...{ method, path, operation: id },
    handle: async ({ headers, params }, readBody) => {
      const read = (name: string) => [headers[name]].flat()[0];
      // Before the body is read: unauthenticated callers learn nothing about valid bodies.
      const identity = authenticate(state, entry, read, faults.unchecked(id, read));
      const args = entry.request ? faults.validator(id, validBody)(entry, await readBody()) : params;
      return faults.handler(id, original)({ state, ...identity, args, now: new Date() });
    },
  };
}

function validBody(entry: Operation, body: unknown): unknown {
  const problems = entry.request ? validateRequest(entry.request, body) : [];
  if (problems.length === 0) return body;
  const text = problems.map(({ path, message }) => `${path || 'body'}: ${message}`).join('; ');
  throw new Refusal(assumed.invalidBody, 'invalid_body', text);
}
