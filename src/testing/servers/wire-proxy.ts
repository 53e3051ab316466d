import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Replied, Reply, WireRequest } from '../../drill/wire/faults.ts';
import { type AreaId, areaIds } from '../../service/index.ts';
import { http, listening } from './listening.ts';

interface ProxyReply extends Replied {
  readonly statusText?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The reaction of a proxy to a request: a response with or without the help of the service, a reset of the connection, or silence. */
export type WireVariant = (
  asked: WireRequest,
  forward: (asked: WireRequest) => Promise<Replied>,
) => Promise<Reply | ProxyReply>;

type Addresses = Readonly<Record<AreaId, string>>;

/** Starts a proxy before each area of a service; `variant` decides how it reacts. If `variant` throws, the proxy resets the connection. */
export async function startProxy(
  { addresses, provisionUrl }: { readonly addresses: Addresses; readonly provisionUrl: string },
  variant: WireVariant,
) {
  const proxyOf = async (area: AreaId) => {
    const server = http.createServer(async (incoming, response) => {
      const { host: _, connection: __, 'content-length': ___, ...headers } = incoming.headers;
      const { method = 'GET', url: path = '/' } = incoming;
      const asked = { method, path, headers: headers as Record<string, string>, body: await text(incoming) };
      const reply = await variant(asked, (changed) => forwardTo(addresses[area], changed)).catch(
        () => 'reset' as const,
      );
      giveReply(reply, incoming, response);
    });
    return [area, await listening(server)] as const;
  };
  const proxies = await Promise.all(areaIds.map(proxyOf));
  return {
    addresses: Object.fromEntries(proxies.map(([area, { url }]) => [area, url])) as Addresses,
    provisionUrl,
    stop: async () => void (await Promise.all(proxies.map(([, { stop }]) => stop()))),
  };
}

/**
 * Keeps idle connections for 1 s only. The service may be closing an older connection just when a request is sent on it, and that would
 * look like a reset by the service.
 */
const agent = new http.Agent({ keepAlive: true, timeout: 1_000 });

export async function forwardTo(address: string, { method, path, headers, body }: WireRequest): Promise<Replied> {
  const sent = http.request(address + path, { agent, method, headers: { ...headers, 'accept-encoding': 'identity' } });
  sent.end(Buffer.from(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { statusCode = 0, headers: received } = response;
  return { status: statusCode, type: received['content-type'] ?? null, body: await text(response) };
}

function giveReply(reply: Reply | ProxyReply, request: IncomingMessage, response: ServerResponse): void {
  if (reply === 'silence') return;
  if (reply === 'reset') return void request.socket.resetAndDestroy();
  const { status, statusText, type, body, headers }: ProxyReply = reply;
  if (statusText) response.statusMessage = statusText;
  response.writeHead(status, { ...headers, ...(type ? { 'content-type': type } : {}) }).end(body);
}
