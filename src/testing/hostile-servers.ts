import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { AreaId } from '../spec/index.ts';

export interface HostileServers {
  /** Where each area is; one of them is nowhere. */
  readonly addresses: Readonly<Record<AreaId, string>>;
  /** Every header that reached the origin which nobody was to follow a redirect to. */
  readonly elsewhere: string[];
  stop(): Promise<void>;
}

/** What a request proved who it was with. */
function credentials({ headers }: IncomingMessage): string[] {
  const bearer = headers.authorization?.replace(/^bearer /, '');
  return [bearer, headers['mm-api-key']].filter((value) => typeof value === 'string');
}

/** Each credential of a request in every form that software is wont to print it in. */
function echo(request: IncomingMessage): string {
  return JSON.stringify(
    credentials(request).map((value) => ({
      plain: value,
      header: request.headers.authorization,
      base64: Buffer.from(value).toString('base64'),
      base64url: Buffer.from(value).toString('base64url'),
      basic: Buffer.from(`user:${value}`).toString('base64'),
      url: `https://elsewhere.example/?token=${encodeURIComponent(value)}`,
      [value]: 'as a key',
    })),
  );
}

/** Servers that do the worst to a client's secrets: say them back, send them on, or never answer. */
export async function hostileServers(): Promise<HostileServers> {
  const elsewhere: string[] = [];
  const other = await listen((request, response) => {
    elsewhere.push(JSON.stringify(request.rawHeaders));
    response.end('{}');
  });
  const servers: Record<Exclude<AreaId, 'gameDesign'>, Server> = {
    friends: await listen((request, response) => {
      const [value = ''] = credentials(request);
      response.writeHead(500, `Broken for ${encodeURIComponent(value)}`, {
        'content-type': 'application/json',
        'x-echo': value,
        'x-echo-base64': Buffer.from(value).toString('base64'),
        'set-cookie': `session=${encodeURIComponent(value)}`,
      });
      response.end(echo(request));
    }),
    stories: await listen((request, response) => {
      const [value = ''] = credentials(request);
      response.writeHead(302, { location: `${addressOf(other)}/?token=${encodeURIComponent(value)}` });
      response.end();
    }),
    profile: await listen(() => {}),
    features: await listen((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(echo(request));
    }),
    storage: await listen((request, response) => {
      response.writeHead(401, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(echo(request)));
    }),
  };
  const nowhere = await listen(() => {});
  const addresses = {
    ...(Object.fromEntries(Object.entries(servers).map(([area, server]) => [area, addressOf(server)])) as Record<
      keyof typeof servers,
      string
    >),
    gameDesign: addressOf(nowhere),
  };
  await close(nowhere);
  const stop = async () => {
    await Promise.all([other, ...Object.values(servers)].map(close));
  };
  return { addresses, elsewhere, stop };
}

async function listen(listener: RequestListener): Promise<Server> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
