import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type AreaId, areaIds } from '../../spec/index.ts';
import { credentialsOf, DECOY } from '../echo/echoing-service.ts';
import { secretForms } from '../echo/secret-forms.ts';
import { listening } from './listening.ts';

export interface HostileServers {
  /** The address of each area; one of them doesn't exist. */
  readonly addresses: Readonly<Record<AreaId, string>>;
  /** Every header received by the origin of a redirect, which must not be followed. */
  readonly elsewhere: string[];
  /** Every credential that they were sent. */
  readonly sent: ReadonlySet<string>;
  stop(): Promise<void>;
}

/** Each credential of a request in every form in which software prints it, and beside it what is no secret. */
function echo(request: IncomingMessage): string {
  return JSON.stringify(
    credentialsOf(request).map((value) => ({
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
  const listen = (listener: RequestListener) => listening(createServer(listener));
  const other = await listen((request, response) => {
    elsewhere.push(JSON.stringify(request.rawHeaders));
    response.end('{}');
  });
  const hostilities: Partial<Record<AreaId, RequestListener>> = {
    friends: (request, response) => {
      const [value = ''] = credentialsOf(request);
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
      const [value = ''] = credentialsOf(request);
      response.writeHead(302, { location: `${other.url}/?token=${encodeURIComponent(value)}` });
      response.end();
    },
    profile: () => {},
    features: repeats,
    storage: (request, response) => {
      response.writeHead(401, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(echo(request)));
    },
  };
  const servers = new Map<AreaId, Awaited<ReturnType<typeof listen>>>();
  for (const area of areaIds) {
    // Any other area repeats the request.
    const treat = hostilities[area] ?? repeats;
    const server = await listen((request, response) => {
      for (const each of credentialsOf(request)) sent.add(each);
      treat(request, response);
    });
    servers.set(area, server);
  }
  await servers.get(NOWHERE)?.stop();
  const addresses = Object.fromEntries([...servers].map(([area, { url }]) => [area, url]));
  const stop = async () => {
    await Promise.all([other, ...servers.values()].map((server) => server.stop()));
  };
  return { addresses: addresses as HostileServers['addresses'], elsewhere, sent, stop };
}
