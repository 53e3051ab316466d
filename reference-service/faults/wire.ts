import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from './fault-switch.ts';
import { ofKind } from './kind.ts';
import { crashed, onSome, onSuccess } from './tamper.ts';

const never5xx = 'common sense: a response is never a 5xx';
const deadlines = { requestTimeoutMs: 1_000 };

/** Sends half of the body, and then calls `end`, which stops or breaks the response. */
const begun = (end: () => Promise<never>) =>
  onSuccess(({ body }) => ({ body: Readable.from(firstHalf(String(body), end)) }));

async function* firstHalf(body: string, end: () => Promise<never>): AsyncGenerator<string> {
  yield body.slice(0, body.length / 2);
  await end();
}

const onSocket =
  (end: (socket: Socket) => unknown): NonNullable<Fault['arrive']> =>
  () =>
  ({ socket }) => {
    end(socket);
    return 'taken';
  };

const everyTenth = onSome((count) => count % 10 === 0, crashed);

export const wireFaults = ofKind('wire', 'common sense: a response arrives within the deadline', {
  'reportOptions-never-answers': { deadlines, arrive: () => () => 'taken' },
  'evaluate-begins-but-never-ends': { deadlines, respond: begun(() => new Promise(() => {})) },
  'love-resets-the-connection': { arrive: onSocket((socket) => socket.resetAndDestroy()) },
  'deleteItem-closes-without-an-answer': { arrive: onSocket((socket) => socket.end()) },
  'saveAvatar-breaks-off-in-the-body': { respond: begun(() => Promise.reject(new Error('broken off on purpose'))) },
  'cloneType-answers-no-http': {
    breaks: 'part 1: all payloads are JSON over HTTP',
    arrive: onSocket((socket) => socket.end('ERR unknown command\r\n\r\n')),
  },
  'evaluate-is-slow': {
    breaks: 'common sense: SLOW_AFTER_MS of the environment',
    // In ms: longer than any operation without this fault takes, even on a busy machine.
    deadlines: { slowAfterMs: 1_500 },
    arrive: () => () => wait(2_000),
  },
  'listBlocked-fails-every-tenth-time': { breaks: never5xx, respond: everyTenth },
  'saveAvatar-fails-every-tenth-time': { breaks: never5xx, respond: everyTenth },
  'block-answers-503-while-it-warms-up': {
    breaks: never5xx,
    respond: onSome((count) => count <= 2, { ...crashed, status: 503 }),
  },
});
