import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../../http/exchange.ts';
import { pauseBeforeRetry, retryAfterMs } from '../../http/rate-limit-headers.ts';
import { operation } from '../../service/index.ts';
import { NotSent, RateLimit, type Timer } from './rate-limit.ts';
import type { OutgoingCall } from './stages.ts';

const START = Date.parse('2026-11-20T12:00:00Z');

/** A clock that advances only on a wait. */
class FakeClock implements Timer {
  time = START;
  now = () => this.time;
  wait = async (ms: number) => {
    this.time = Math.max(this.time, START) + ms;
  };
}

const call = (id: 'block' | 'love' | 'report' = 'block', signal?: AbortSignal) =>
  ({ operation: operation(id), session: { context: { signal } } }) as unknown as OutgoingCall;

const limited = (status: number, headers: Readonly<Record<string, string>>) =>
  ({ response: { status, headers: Object.entries(headers) } }) as unknown as Exchange;
const answered = (status: number, retryAfter?: string) =>
  limited(status, retryAfter ? { 'Retry-After': retryAfter } : {});

const left = (remaining: number, at: number | string = 5, prefix = 'ratelimit') => ({
  [`${prefix}-limit`]: '10',
  [`${prefix}-remaining`]: `${remaining}`,
  [`${prefix}-reset`]: `${at}`,
});
const pauseRows: [name: string, headers: (sent: number) => Record<string, string>, pausedMs: number][] = [
  ['no headers', () => ({}), 0],
  ['some left', (sent) => left(11 - sent), 0],
  ['none left', (sent) => left(10 - sent), 5_000],
  ['none left for longer than may be waited', (sent) => left(10 - sent, 86_400), 60_000],
  ['in one header', (sent) => ({ ratelimit: `limit=10, remaining=${10 - sent}, reset=5` }), 5_000],
  ['as a policy', (sent) => ({ ratelimit: `"default";q=10;r=${10 - sent};t=5` }), 5_000],
  ['with a moment', (sent) => left(10 - sent, START / 1_000 + 5, 'x-ratelimit'), 5_000],
  ['with a moment in ms', (sent) => left(10 - sent, START + 5_000, 'x-ratelimit'), 5_000],
];

for (const [name, headers, pausedMs] of pauseRows)
  test(`an area is quiet when no request is left, and the pace that it took is said: ${name}`, async () => {
    const clock = new FakeClock();
    const said: number[] = [];
    const { middleware } = new RateLimit({ retryAfterLimitMs: 60_000 }, (each) => said.push(each), clock);
    for (let sent = 1; sent <= 10; sent++) await middleware(call(), async () => limited(200, headers(sent)));
    assert.equal(clock.time, START);
    await middleware(call('love'), async () => answered(200));
    assert.equal(clock.time, START);
    await middleware(call(), async () => answered(200));
    assert.equal(clock.time - START, pausedMs);
    assert.deepEqual(said, pausedMs ? [10_000 / pausedMs] : []);
  });

test('a request that may come again at once says nothing of the pace', async () => {
  const queue = [answered(429, '0'), answered(200)];
  const fail = (pace: number) => assert.fail(`${pace}`);
  const { middleware } = new RateLimit({ retryAfterLimitMs: 5_000 }, fail, new FakeClock());
  await middleware(call(), async () => queue.shift() as Exchange);
  assert.equal(queue.length, 0);
});

test('no second holds more requests than allowed, from the first one on', async () => {
  const clock = new FakeClock();
  const { middleware } = new RateLimit({ maxRequestsPerSecond: 4, retryAfterLimitMs: 0 }, undefined, clock);
  for (let n = 1; n <= 12; n++) {
    await middleware(call(), async () => answered(200));
    assert.equal(clock.time - START, 250 * n);
  }
});

test('a place is given back when a request throws', async () => {
  const { middleware } = new RateLimit({ maxConcurrency: 1, retryAfterLimitMs: 0 }, undefined, new FakeClock());
  await assert.rejects(middleware(call(), () => Promise.reject(new Error('boom'))));
  assert.equal((await middleware(call(), async () => answered(200))).response?.status, 200);
});

/** Lets one call through the middleware; returns the number of requests, the last status, and the time waited in ms. */
async function attempts(answers: Exchange[], id: 'block' | 'report' = 'block', waitsUnasked?: true) {
  const clock = new FakeClock();
  const limits = { retryAfterLimitMs: 5_000, ...(waitsUnasked ? { waitsUnasked } : {}) };
  const { middleware } = new RateLimit(limits, undefined, clock);
  const queue = [...answers];
  const last = await middleware(call(id), async () => queue.shift() as Exchange);
  return `${answers.length - queue.length} ${last.response?.status} ${clock.time - START}`;
}

const [ok, inReset] = [answered(200), limited(429, { 'ratelimit-remaining': '0', 'ratelimit-reset': '2' })];
const aDate = 'Fri, 20 Nov 2026 12:00:03 GMT';

/** The responses of the service in order, and what is expected: the number of requests, the last status, and the time waited in ms. */
const rows: [name: string, answers: Exchange[], expected: string, id?: 'report' | 'block', waitsUnasked?: true][] = [
  ['429 with a time', [answered(429, '2'), ok], '2 200 2000'],
  ['429 with a date', [answered(429, aDate), ok], '2 200 3000'],
  [
    'a date by a clock that is an hour ahead',
    [limited(429, { 'Retry-After': 'Fri, 20 Nov 2026 13:00:02 GMT', date: 'Fri, 20 Nov 2026 13:00:00 GMT' }), ok],
    '2 200 2000',
  ],
  ['503 with a time', [answered(503, '1'), ok], '2 200 1000'],
  ['429 twice', [answered(429, '1'), answered(429, '1'), ok], '3 200 2000'],
  ['429 with a time that is over', [answered(429, '0'), ok], '2 200 1'],
  ['429 with a date that is over', [answered(429, 'Fri, 20 Nov 2026 11:59:00 GMT'), ok], '2 200 1'],
  ['429 with a time that is over, for good', Array.from({ length: 9 }, () => answered(429, '0')), '6 429 4001'],
  ['429 for longer than the limit', [answered(429, '3'), answered(429, '3'), ok], '2 429 3000'],
  ['503 twice', [answered(503, '1'), answered(503, '1'), ok], '2 503 1000'],
  ['429 with a reset', [inReset, ok], '2 200 2000'],
  ['a time beyond the limit', [answered(429, '6'), ok], '1 429 0'],
  ['429 without a time', [answered(429), ok], '1 429 0'],
  ['429 without a time, in a survey', Array.from({ length: 5 }, () => answered(429)), '4 429 4000', 'block', true],
  ['a time beyond the limit, in a survey', [answered(429, '6'), ok], '1 429 0', 'block', true],
  ['500, in a survey', [answered(500), ok], '1 500 0', 'block', true],
  ['a time that is none', [answered(429, 'soon'), ok], '1 429 0'],
  ['500 with a time', [answered(500, '1'), ok], '1 500 0'],
  ['503 to what is for good', [answered(503, '1'), ok], '1 503 0', 'report'],
  ['429 to what is for good', [answered(429, '1'), ok], '2 200 1000', 'report'],
];

for (const [name, answers, expected, id, waitsUnasked] of rows) {
  test(`Retry-After: ${name}`, async () => assert.equal(await attempts(answers, id, waitsUnasked), expected));
}

test('an area that is throttled for good is waited for once, and again after it has served a request', async () => {
  const clock = new FakeClock();
  const { middleware } = new RateLimit({ retryAfterLimitMs: 60_000 }, undefined, clock);
  const waits: number[] = [];
  for (const statuses of [[429, 429, 429], [429], [200], [429, 200]]) {
    const before = clock.time;
    await middleware(call(), async () => answered(statuses.shift() ?? 500, '30'));
    waits.push(clock.time - before);
  }
  assert.deepEqual(waits, [60_000, 0, 0, 30_000]);
});

test('while one request waits for its Retry-After, the others of its area wait too', async () => {
  const clock = new FakeClock();
  const { middleware } = new RateLimit({ retryAfterLimitMs: 5_000 }, undefined, clock);
  const sent: string[] = [];
  const next = async ({ operation: { id } }: OutgoingCall) => {
    sent.push(`${id} ${clock.time - START}`);
    return sent.length === 1 ? answered(429, '2') : answered(200);
  };
  // The clock advances only on a wait. The love has no reason to wait, so it is sent at once.
  const first = middleware(call('block'), next);
  await middleware(call('love'), next);
  await first;
  await middleware(call('block'), next);
  assert.deepEqual(
    sent.filter((each) => each.startsWith('block')),
    ['block 0', 'block 2000', 'block 2000'],
  );
});

test('a run that is stopped while a request waits for its turn does not send it', async () => {
  const controller = new AbortController();
  const { middleware } = new RateLimit({ maxRequestsPerSecond: 0.001, retryAfterLimitMs: 0 });
  const waiting = middleware(call('block', controller.signal), () => assert.fail('it was sent'));
  controller.abort();
  await assert.rejects(waiting, NotSent);
});

test('retryAfterMs reads seconds and dates', () => {
  assert.equal(retryAfterMs('0', START), 0);
  assert.equal(retryAfterMs(' 120 ', START), 120_000);
  assert.equal(retryAfterMs('Fri, 20 Nov 2026 11:00:00 GMT', START), 0);
  for (const none of ['-1', '', 'soon', '1.5']) assert.equal(retryAfterMs(none, START), undefined, none);
  assert.equal(pauseBeforeRetry({} as Exchange, 'read', START, { leastMs: 1, limitMs: 1_000 }), undefined);
});
