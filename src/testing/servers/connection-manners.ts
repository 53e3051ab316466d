import type { Socket } from 'node:net';
import { type Behaviour, rawResponse } from './raw-server.ts';

/** The outcome of a call: its status, or the phase, the side and the reason of its failure. */
export type Outcome =
  | { readonly status: number; readonly sentAgain?: true; readonly hasStrayBody?: true }
  | { readonly phase: string; readonly side: 'service' | 'ours'; readonly reason: RegExp; readonly sentAgain?: true };

/** How a service treats its connections. Most ways are fine; the others must not affect the next call. */
export interface Manner extends Behaviour {
  readonly name: string;
  /** The outcomes of two consecutive reading calls. */
  readonly reads: readonly [Outcome, Outcome];
  /** The outcomes of two consecutive changing calls; default: as for reads. */
  readonly changes?: readonly [Outcome, Outcome];
  /** Number of requests of two reads that it receives completely. */
  readonly heard?: number;
}

const ok = { status: 200 } as const;
const whole = () => rawResponse('200 OK', '{"fine":true}');
const bare = (headers: string, body = '{"fine":true}') => `${headers}\r\ncontent-type: application/json\r\n\r\n${body}`;

/** Acts on each request of a socket: `index` is 0 for the first one. Both calls are fine unless `rest` says otherwise. */
function manner(name: string, act: (socket: Socket, index: number) => unknown, rest: Partial<Manner> = {}): Manner {
  const turns = new WeakMap<Socket, number>();
  return {
    name,
    onRequest: (socket) => {
      const index = turns.get(socket) ?? 0;
      turns.set(socket, index + 1);
      act(socket, index);
    },
    reads: [ok, ok],
    ...rest,
  };
}

const empty = { status: 204, hasStrayBody: true } as const;
const noContent = 'HTTP/1.1 204 No Content\r\ncontent-type: application/json\r\n\r\n';

const gone = (reason: RegExp) => ({ phase: 'processing', side: 'service', reason }) as const;
const closed = gone(/connection closed without a response/);
const refused = (status: number): Partial<Manner> => ({ reads: [{ status }, { status }] });
/** Only what changes nothing is sent again. */
const sentAgain = (failure: Outcome): Partial<Manner> => ({
  reads: [ok, { ...ok, sentAgain: true }],
  changes: [ok, failure],
  heard: 3,
});
/** Does something else with the second request of a connection. */
const onceFine = (act: (socket: Socket) => unknown) => (socket: Socket, index: number) =>
  index === 0 ? socket.write(whole()) : act(socket);

export const manners: readonly Manner[] = [
  manner('keeps connections open', (socket) => socket.write(whole())),
  manner('closes after each response, and says so', (socket) =>
    socket.end(rawResponse('200 OK', '{}', { connection: 'close' })),
  ),
  manner('closes after each response, without a word', (socket) => socket.end(whole())),
  manner('speaks HTTP/1.0, and ends a body by closing', (socket) => socket.end(bare('HTTP/1.0 200 OK'))),
  manner('speaks HTTP/1.0, and keeps the connection open', (socket) =>
    socket.write(bare('HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 13')),
  ),
  manner('speaks HTTP/1.1, and ends a body by closing', (socket) => socket.end(bare('HTTP/1.1 200 OK'))),
  manner('asks for the body with 100 although the client does not wait for it', (socket) =>
    socket.write(Buffer.concat([Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'), whole()])),
  ),
  manner('hints with 103, twice', (socket) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n');
    socket.write('HTTP/1.1 103 Early Hints\r\n\r\n');
    socket.write(whole());
  }),
  manner(
    'refuses an expectation that the client did not state',
    (socket) => socket.write(rawResponse('417 Expectation Failed', '{}')),
    refused(417),
  ),
  manner('offers another protocol beside its response', (socket) =>
    socket.write(rawResponse('200 OK', '{}', { upgrade: 'h2,h2c', connection: 'Upgrade, Keep-Alive' })),
  ),
  manner(
    'insists on another protocol',
    (socket) => socket.write(rawResponse('426 Upgrade Required', '{}', { upgrade: 'h2c', connection: 'Upgrade' })),
    refused(426),
  ),
  manner('sends chunks with extensions and trailers', (socket) =>
    socket.write(
      bare('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ntrailer: x-sum', '2;ext=1\r\n{}\r\n0\r\nx-sum: 1\r\n\r\n'),
    ),
  ),
  manner('answers in single bytes', (socket) => {
    socket.setNoDelay(true);
    for (const byte of whole()) socket.write(Buffer.of(byte));
  }),
  manner(
    'closes a kept-open connection as the next request comes',
    onceFine((socket) => socket.end()),
    sentAgain(closed),
  ),
  manner(
    'resets a kept-open connection as the next request comes',
    onceFine((socket) => socket.resetAndDestroy()),
    sentAgain(gone(/connection reset without a response/)),
  ),
  manner(
    'closes a kept-open connection in the middle of the headers',
    onceFine((socket) => socket.end('HTTP/1.1 200 OK\r\nx-')),
    { reads: [ok, closed], heard: 2 },
  ),
  manner(
    'closes a kept-open connection after an informational response',
    onceFine((socket) => socket.end('HTTP/1.1 102 Processing\r\n\r\n')),
    { reads: [ok, closed], heard: 2 },
  ),
  manner('sends a body with 204', (socket) => socket.write(`${noContent}{}`), { reads: [empty, empty], heard: 2 }),
  manner(
    'sends the length of a body with 204',
    (socket) => socket.write(noContent.replace('t\r', 't\r\ncontent-length: 2\r').concat('{}')),
    {
      reads: [empty, empty],
      heard: 2,
    },
  ),
  manner('sends a body after 304', (socket) => socket.write('HTTP/1.1 304 Not Modified\r\n\r\n<html></html>'), {
    reads: [
      { ...empty, status: 304 },
      { ...empty, status: 304 },
    ],
    heard: 2,
  }),
  manner(
    'sends a body a moment after 204',
    (socket) => {
      socket.write(noContent);
      setTimeout(() => socket.write('{}'), 3);
    },
    { reads: [empty, empty], heard: 2 },
  ),
  manner('closes every connection without a response', (socket) => socket.end(), { reads: [closed, closed], heard: 2 }),
];
