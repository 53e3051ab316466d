import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AreaId, areaIds } from '../../spec/index.ts';

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface Replied {
  readonly status: number;
  readonly type: string | null;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** How long it is kept back, in ms. */
  readonly afterMs?: number;
}

/** Forwards a request to the service; one that changes nothing is sent beside that of the suite, to find something out. */
export type Forward = (asked: WireRequest, changesNothing?: boolean) => Promise<Replied>;

/** What a proxy does with a request: replies with or without the service, resets the connection, or never replies. */
export type WireVariant = (asked: WireRequest, forward: Forward) => Promise<Replied | 'reset' | 'silence'>;

/** The addresses of a service's areas. */
export type Addresses = Readonly<Record<AreaId, string>>;

/** A proxy in front of each area of a service, on loopback. */
export interface WireProxy {
  readonly addresses: Addresses;
  readonly provisionUrl: string;
  stop(): Promise<void>;
}

/** Puts a variant in front of a service. A variant that throws resets the connection. */
export async function startProxy(
  service: { readonly addresses: Addresses; readonly provisionUrl: string },
  variant: WireVariant,
): Promise<WireProxy> {
  const servers: Server[] = [];
  const addresses: Record<string, string> = {};
  for (const area of areaIds) {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
      const { method = 'GET', url = '/' } = request;
      const asked = {
        method,
        path: url,
        headers: headers as Record<string, string>,
        body: Buffer.concat(chunks).toString(),
      };
      const forward: Forward = (changed) => send(service.addresses[area], changed);
      const reply = await variant(asked, forward).catch(() => 'reset' as const);
      giveReply(reply, request, response);
    });
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    addresses[area] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const stop = async () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  };
  return { addresses: addresses as Addresses, provisionUrl: service.provisionUrl, stop };
}

/** Writes a reply to the wire. */
export function giveReply(
  reply: Replied | 'reset' | 'silence',
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (reply === 'silence') return;
  if (reply === 'reset') return void request.socket.resetAndDestroy();
  const { status, type, body, headers: own, afterMs = 0 } = reply;
  setTimeout(
    () => response.writeHead(status, { ...own, ...(type ? { 'content-type': type } : {}) }).end(body),
    afterMs,
  );
}

async function send(address: string, { method, path, headers, body }: WireRequest): Promise<Replied> {
  // fetch adds a content type to text, but not to bytes.
  const data = body === '' ? {} : { body: Buffer.from(body) };
  const response = await fetch(address + path, {
    method,
    headers: { ...headers, 'accept-encoding': 'identity' },
    ...data,
  });
  return { status: response.status, type: response.headers.get('content-type'), body: await response.text() };
}
