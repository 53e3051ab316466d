import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Service } from '../../../reference-service/index.ts';
import { areaIds } from '../../spec/index.ts';

export interface VariantRequest {
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
}

/** Forwards a request to the reference service. */
export type Forward = (asked: VariantRequest) => Promise<Replied>;

/** Another reading of what the specification leaves open: responds with or without the reference service. */
export type SurveyVariant = (asked: VariantRequest, forward: Forward) => Promise<Replied>;

/** The reference service behind a variant: a separate HTTP server for each area. */
export async function startVariant(
  service: Service,
  variant: SurveyVariant,
): Promise<Pick<Service, 'addresses' | 'provisionUrl' | 'stop'>> {
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
      const reply = await variant(asked, forward).catch(() => undefined);
      // A failing variant acts like a service that is down.
      if (!reply) return void request.socket.destroy();
      const { status, type, body, headers: own } = reply;
      response.writeHead(status, { ...own, ...(type ? { 'content-type': type } : {}) }).end(body);
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
  return { addresses: addresses as Service['addresses'], provisionUrl: service.provisionUrl, stop };
}

async function send(address: string, { method, path, headers, body }: VariantRequest): Promise<Replied> {
  // fetch adds a content type to text, but not to bytes.
  const data = body === '' ? {} : { body: Buffer.from(body) };
  const response = await fetch(address + path, {
    method,
    headers: { ...headers, 'accept-encoding': 'identity' },
    ...data,
  });
  return { status: response.status, type: response.headers.get('content-type'), body: await response.text() };
}
