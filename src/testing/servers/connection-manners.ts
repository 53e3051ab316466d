import type { Socket } from 'node:net';
import { rawResponse } from './raw-responses.ts';
import type { Behaviour } from './raw-server.ts';

/** The outcome of a call: its status, or the phase, the side and the reason of its failure. */
export type Outcome =
  | { readonly status: number; readonly sentAgain?: true }
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
const fine = { reads: [ok, ok] } as const satisfies Partial<Manner>;
const whole = () => rawResponse('200 OK', '{"fine":true}');
const bare = (headers: string, body = '{"fine":true}') => `${headers}\r\ncontent-type: application/json\r\n\r\n${body}`;

/** Acts on each request of a socket: `index` is 0 for the first one. */
function byTurn(act: (socket: Socket, index: number, head: string) => void): Behaviour {
  const turns = new WeakMap<Socket, number>();
  return {
    onRequest: (socket, { head }) => {
      const index = turns.get(socket) ?? 0;
      turns.set(socket, index + 1);
      act(socket, index, head);
    },
  };
}

const gone = (reason: RegExp) => ({ phase: 'processing', side: 'service', reason }) as const;

export const manners: readonly Manner[] = [
  { name: 'keeps connections open', ...byTurn((socket) => void socket.write(whole())), ...fine },
  {
    name: 'closes after each response, and says so',
    ...byTurn((socket) => socket.end(rawResponse('200 OK', '{}', { connection: 'close' }))),
    ...fine,
  },
  { name: 'closes after each response, without a word', ...byTurn((socket) => socket.end(whole())), ...fine },
  {
    name: 'speaks HTTP/1.0, and ends a body by closing',
    ...byTurn((socket) => socket.end(bare('HTTP/1.0 200 OK'))),
    ...fine,
  },
  {
    name: 'speaks HTTP/1.0, and keeps the connection open',
    ...byTurn((socket) => void socket.write(bare('HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 13'))),
    ...fine,
  },
  {
    name: 'speaks HTTP/1.1, and ends a body by closing',
    ...byTurn((socket) => socket.end(bare('HTTP/1.1 200 OK'))),
    ...fine,
  },
  {
    name: 'asks for the body with 100 although the client does not wait for it',
    ...byTurn((socket) => void socket.write(Buffer.concat([Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'), whole()]))),
    ...fine,
  },
  {
    name: 'hints with 103, twice',
    ...byTurn((socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n');
      socket.write('HTTP/1.1 103 Early Hints\r\n\r\n');
      socket.write(whole());
    }),
    ...fine,
  },
  {
    name: 'refuses an expectation that the client did not state',
    ...byTurn((socket) => void socket.write(rawResponse('417 Expectation Failed', '{}'))),
    reads: [{ status: 417 }, { status: 417 }],
  },
  {
    name: 'offers another protocol beside its response',
    ...byTurn(
      (socket) =>
        void socket.write(rawResponse('200 OK', '{}', { upgrade: 'h2,h2c', connection: 'Upgrade, Keep-Alive' })),
    ),
    ...fine,
  },
  {
    name: 'insists on another protocol',
    ...byTurn(
      (socket) =>
        void socket.write(rawResponse('426 Upgrade Required', '{}', { upgrade: 'h2c', connection: 'Upgrade' })),
    ),
    reads: [{ status: 426 }, { status: 426 }],
  },
  {
    name: 'sends chunks with extensions and trailers',
    ...byTurn(
      (socket) =>
        void socket.write(
          bare(
            'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ntrailer: x-sum',
            '2;ext=1\r\n{}\r\n0\r\nx-sum: 1\r\n\r\n',
          ),
        ),
    ),
    ...fine,
  },
  {
    name: 'answers in single bytes',
    ...byTurn((socket) => {
      socket.setNoDelay(true);
      for (const byte of whole()) socket.write(Buffer.of(byte));
    }),
    ...fine,
  },
  {
    name: 'closes a kept-open connection as the next request comes',
    ...byTurn((socket, index) => void (index === 0 ? socket.write(whole()) : socket.end())),
    reads: [ok, { ...ok, sentAgain: true }],
    changes: [ok, gone(/connection closed without a response/)],
    heard: 3,
  },
  {
    name: 'resets a kept-open connection as the next request comes',
    ...byTurn((socket, index) => void (index === 0 ? socket.write(whole()) : socket.resetAndDestroy())),
    reads: [ok, { ...ok, sentAgain: true }],
    changes: [ok, gone(/connection reset without a response/)],
    heard: 3,
  },
  {
    name: 'closes a kept-open connection in the middle of the headers',
    ...byTurn((socket, index) => void (index === 0 ? socket.write(whole()) : socket.end('HTTP/1.1 200 OK\r\nx-'))),
    reads: [ok, gone(/connection closed without a response/)],
    heard: 2,
  },
  {
    name: 'closes a kept-open connection after an informational response',
    ...byTurn(
      (socket, index) => void (index === 0 ? socket.write(whole()) : socket.end('HTTP/1.1 102 Processing\r\n\r\n')),
    ),
    reads: [ok, gone(/connection closed without a response/)],
    heard: 2,
  },
  {
    name: 'closes every connection without a response',
    ...byTurn((socket) => socket.end()),
    reads: [gone(/connection closed without a response/), gone(/connection closed without a response/)],
    heard: 2,
  },
];
