import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type AreaId, areaIds } from '../../spec/index.ts';
import { DECOY } from '../echo/echoing-service.ts';
import { secretForms } from '../echo/secret-forms.ts';

export interface HostileServers {
  /** The address of each area; one of them doesn't exist. */
  readonly addresses: Readonly<Record<AreaId, string>>;
  /** Every header received by the origin of a redirect, which must not be followed. */
  readonly elsewhere: string[];
  /** Every credential that they were sent. */
  readonly sent: ReadonlySet<string>;
  stop(): Promise<void>;
}

/** The credentials of a request. */
function credentials({ headers }: IncomingMessage): string[] {
  const bearer = headers.authorization?.replace(/^bearer /, '');
  return [bearer, headers['mm-api-key']].filter((value) => typeof value === 'string');
}

/** Each credential of a request in every form in which software prints it, and beside it what is no secret. */
function echo(request: IncomingMessage): string {
  return JSON.stringify(
    credentials(request).map((value) => ({
      plain: value,
      decoy: DECOY,
      header: request.headers.authorization,
      ...Object.fromEntries(secretForms.map(({ name, encode }) => [name, encode(value)])),
      url: `https://elsewhere.example/?token=${encodeURIComponent(value)}`,
      [value]: 'as a key',
    })),
  );
}

const repeats: RequestListener = (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(echo(request));
};

/** The area without a server. */
const NOWHERE: AreaId = 'gameDesign';

/** Servers that mistreat a client's secrets: repeat them, forward them, or never respond. */
export async function hostileServers(): Promise<HostileServers> {
  const elsewhere: string[] = [];
  const sent = new Set<string>();
  const other = await listen((request, response) => {
    elsewhere.push(JSON.stringify(request.rawHeaders));
    response.end('{}');
  });
  const hostilities: Partial<Record<AreaId, RequestListener>> = {
    friends: (request, response) => {
      const [value = ''] = credentials(request);
      response.writeHead(500, `Broken for ${encodeURIComponent(value)}`, {
        'content-type': 'application/json',
        'x-echo': value,
        ...Object.fromEntries(
          secretForms
            .map(({ encode }) => encode(value))
            .filter((text) => /^[\x20-\x7e]+$/.test(text))
            .map((text, index) => [`x-echo-${index}`, text]),
        ),
        'set-cookie': `session=${encodeURIComponent(value)}`,
      });
      response.end(echo(request));
    },
    stories: (request, response) => {
      const [value = ''] = credentials(request);
      response.writeHead(302, { location: `${addressOf(other)}/?token=${encodeURIComponent(value)}` });
      response.end();
    },
    profile: () => {},
    features: repeats,
    storage: (request, response) => {
      response.writeHead(401, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(echo(request)));
    },
  };
  const nowhere = await listen(() => {});
  const servers = new Map<AreaId, Server>();
  // Any other area repeats the request.
  for (const area of areaIds.filter((each) => each !== NOWHERE)) {
    const server = await listen(hostilities[area] ?? repeats);
    server.on('request', (request) => {
      for (const each of credentials(request)) sent.add(each);
    });
    servers.set(area, server);
  }
  const addresses = Object.fromEntries(
    areaIds.map((area) => [area, addressOf(servers.get(area) ?? nowhere)]),
  ) as HostileServers['addresses'];
  await close(nowhere);
  const stop = async () => {
    await Promise.all([other, ...servers.values()].map(close));
  };
  return { addresses, elsewhere, sent, stop };
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
