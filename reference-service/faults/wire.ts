import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { ofKind } from './kind.ts';
import { crashed } from './tamper.ts';

const responses = 'common sense: a response arrives within the deadline';
const patience = { requestTimeoutMs: 1_000 };

/** Sends part of the body, then calls `end`. */
async function* begun(body: string, end: () => Promise<never>): AsyncGenerator<string> {
  yield body.slice(0, body.length / 2);
  await end();
}

/** Failures below HTTP, and intermittent ones. */
export const wireFaults = ofKind('wire', [
  {
    name: 'reportOptions-never-answers',
    operation: 'reportOptions',
    grade: 'assumed',
    breaks: responses,
    deadlines: patience,
    arrive: () => () => 'taken',
  },
  {
    name: 'evaluate-begins-but-never-ends',
    operation: 'evaluate',
    grade: 'assumed',
    breaks: responses,
    deadlines: patience,
    respond: () => (response) =>
      response.status < 300
        ? { ...response, body: Readable.from(begun(String(response.body), () => new Promise(() => {}))) }
        : response,
  },
  {
    name: 'love-resets-the-connection',
    operation: 'love',
    grade: 'assumed',
    breaks: responses,
    arrive:
      () =>
      ({ socket }) => {
        socket.resetAndDestroy();
        return 'taken';
      },
  },
  {
    name: 'deleteItem-closes-without-an-answer',
    operation: 'deleteItem',
    grade: 'assumed',
    breaks: responses,
    arrive:
      () =>
      ({ socket }) => {
        socket.end();
        return 'taken';
      },
  },
  {
    name: 'saveAvatar-breaks-off-in-the-body',
    operation: 'saveAvatar',
    grade: 'assumed',
    breaks: responses,
    respond: () => (response) =>
      response.status < 300
        ? {
            ...response,
            body: Readable.from(begun(String(response.body), () => Promise.reject(new Error('broken off on purpose')))),
          }
        : response,
  },
  {
    name: 'cloneType-answers-no-http',
    operation: 'cloneType',
    grade: 'documented',
    breaks: 'part 1: all payloads are JSON over HTTP',
    arrive:
      () =>
      ({ socket }) => {
        socket.end('ERR unknown command\r\n\r\n');
        return 'taken';
      },
  },
  {
    name: 'evaluate-is-slow',
    operation: 'evaluate',
    grade: 'assumed',
    breaks: 'common sense: SLOW_AFTER_MS of the environment',
    // No other operation may be as slow on a busy machine.
    deadlines: { slowAfterMs: 1_500 },
    arrive: () => () => wait(2_000),
  },
  {
    name: 'listBlocked-fails-every-tenth-time',
    operation: 'listBlocked',
    grade: 'assumed',
    breaks: 'common sense: a response is never a 5xx',
    respond: () => {
      let count = 0;
      return (response) => (++count % 10 === 0 ? { ...response, ...crashed } : response);
    },
  },
  {
    name: 'saveAvatar-fails-every-tenth-time',
    operation: 'saveAvatar',
    grade: 'assumed',
    breaks: 'common sense: a response is never a 5xx',
    respond: () => {
      let count = 0;
      return (response) => (++count % 10 === 0 ? { ...response, ...crashed } : response);
    },
  },
  {
    name: 'block-answers-503-while-it-warms-up',
    operation: 'block',
    grade: 'assumed',
    breaks: 'common sense: a response is never a 5xx',
    respond: () => {
      let count = 0;
      return (response) => (++count <= 2 ? { ...response, ...crashed, status: 503 } : response);
    },
  },
  {
    name: 'updateProfile-answers-with-too-long-headers',
    operation: 'updateProfile',
    grade: 'assumed',
    breaks: 'common sense: HTTP clients read 16 kB of headers',
    respond: () => (response) => ({ ...response, headers: { ...response.headers, 'x-padding': 'x'.repeat(20_000) } }),
  },
]);
