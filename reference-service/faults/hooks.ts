import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FaultSwitch, OutgoingResponse } from './fault-switch.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation whose path this route is. */
    operation?: string;
  }
}

/** Applies faults to the requests and responses of a server. Without active faults, it changes nothing. */
export function letFaultsAt(app: FastifyInstance, faults: FaultSwitch): void {
  app.addHook('onRequest', (request, reply) => faults.arrived(operationOf(request), request, reply));
  app.addHook('onSend', async (request, reply, payload) => {
    const operation = operationOf(request);
    if (!faults.tampers(operation)) return payload;
    const headers = Object.fromEntries(
      Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]),
    );
    const body = typeof payload === 'string' ? payload : '';
    const out: OutgoingResponse = faults.answered(operation, { status: reply.statusCode, headers, body }, request);
    reply.code(out.status);
    reply.removeHeader('content-length');
    for (const [name, value] of Object.entries(out.headers)) {
      if (value === undefined) reply.removeHeader(name);
      else if (name !== 'content-length' || value !== headers[name]) reply.header(name, value);
    }
    return out.body;
  });
}

function operationOf(request: FastifyRequest): string {
  return request.routeOptions.config.operation ?? '';
}
