import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Forward, Replied, WireRequest } from '../../fault-injection/wire/act.ts';
import { giveReply } from '../../fault-injection/wire/hook.ts';
import { type AreaId, areaIds } from '../../spec/index.ts';

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
    const server = createServer(async (incoming, response) => {
      const { host: _, connection: __, 'content-length': ___, ...headers } = incoming.headers;
      const { method = 'GET', url: path = '/' } = incoming;
      const asked = { method, path, headers: headers as Record<string, string>, body: await text(incoming) };
      const forward: Forward = (changed) => send(service.addresses[area], changed);
      const reply = await variant(asked, forward).catch(() => 'reset' as const);
      giveReply(reply, incoming, response);
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

/** One that was kept open longer may be closing, which would look like a reset by the service. */
const agent = new Agent({ keepAlive: true, timeout: 1_000 });

async function send(address: string, { method, path, headers, body }: WireRequest): Promise<Replied> {
  const sent = request(address + path, {
    agent,
    method,
    headers: { ...headers, 'accept-encoding': 'identity' },
  });
  sent.end(Buffer.from(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { statusCode = 0, headers: received } = response;
  return { status: statusCode, type: received['content-type'] ?? null, body: await text(response) };
}

/** The first `count` requests are throttled, with a Retry-After in seconds or as a date. */
export function throttling(count: number, retryAfter: string): WireVariant & { refused: number } {
  const variant = async (asked: WireRequest, forward: Forward): Promise<Replied> => {
    if (variant.refused >= count) return forward(asked);
    variant.refused++;
    return { status: 429, type: 'application/json', body: '{}', headers: { 'retry-after': retryAfter } };
  };
  variant.refused = 0;
  return variant;
}
