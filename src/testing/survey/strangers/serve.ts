import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to a stranger. */
export interface Incoming {
  readonly method: string;
  /** Still percent-encoded, without the query. */
  readonly path: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A text `body` is sent unchanged, anything else as JSON; `type` is the content type, null for none. */
export interface Outgoing {
  readonly status: number;
  readonly body?: unknown;
  readonly type?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export type StrangerHandler = (incoming: Incoming) => Outgoing;

/** Serves all areas at one address. */
export async function serve(handler: StrangerHandler): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = 'GET', url = '/', headers } = request;
    const {
      status,
      body,
      type,
      headers: own,
    } = handler({
      method,
      path: url.split('?')[0] ?? url,
      headers: headers as Record<string, string>,
      text: Buffer.concat(chunks).toString(),
    });
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const given = type === undefined ? (text === '' ? null : 'application/json') : type;
    response.writeHead(status, { ...own, ...(given ? { 'content-type': given } : {}) }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The JSON value of a text; `undefined` if it isn't JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
