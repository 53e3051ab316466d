import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallableId } from '../../spec/index.ts';
import type { Parsed } from '../http/body.ts';
import type { ConnectionFailure } from '../http/connection-failure.ts';
import type { Exchange } from '../http/exchange.ts';
import type { SuccessRule } from '../target/target.ts';
import { type Expected, judge } from './judge.ts';

const jsonType = [['content-type', 'application/json; charset=utf-8']] as const;
const ok = (value: unknown): Parsed => ({ ok: true, value });
const bad = (problem: string): Parsed => ({ ok: false, problem });

function exchange(operation: CallableId, rest: Pick<Exchange, 'response' | 'failure'>): Exchange {
  const request = { method: 'GET', url: 'http://127.0.0.1/', headers: {}, correlation: {} };
  return { operation, area: 'friends', startedAt: 0, durationMs: 1, phases: {}, request, ...rest };
}

function answered(
  status: number,
  json: Parsed = ok({}),
  headers: readonly (readonly [string, string])[] = jsonType,
  operation: CallableId = 'block',
): Exchange {
  return exchange(operation, { response: { status, statusText: '', headers, body: { bytes: 0, text: '', json } } });
}

const saysWhen = (status: number, when: string) => answered(status, ok({}), [['Retry-After', when]]);
const failed = (side: ConnectionFailure['side']) =>
  exchange('block', { failure: { phase: 'tls', side, code: 'X', reason: 'so it is' } });
const rule: SuccessRule = { pointer: '/code', value: 0, text: '/code=0' };

type Row = readonly [
  name: string,
  exchange: Exchange,
  outcome: Expected,
  expected: undefined | readonly [verdict: string, observed: RegExp],
  rule?: SuccessRule,
];

const rows: readonly Row[] = [
  ['200 with JSON', answered(200), 'success', undefined],
  ['201 with nothing, for a change', answered(201, bad('empty'), []), 'success', undefined],
  ['200 with nothing, for a read', answered(200, bad('empty'), [], 'listBlocked'), 'success', ['failed', /no body/]],
  ['200 that is no JSON', answered(200, bad('not valid JSON')), 'success', ['failed', /not valid JSON/]],
  [
    'JSON called text',
    answered(200, ok({}), [['content-type', 'text/plain']]),
    'success',
    ['failed', /type is text\/plain/],
  ],
  ['200 without a content type', answered(200, ok({}), []), 'success', undefined],
  ['a redirect', answered(302, ok({}), [['location', '/away']]), 'success', ['failed', /to \/away \(redirects/]],
  ['404', answered(404), 'success', ['failed', /^404/]],
  ['401 where success belongs', answered(401), 'success', ['refused', /^401/]],
  ['403 where success belongs', answered(403), 'success', ['refused', /^403/]],
  ['401 where a refusal belongs', answered(401), 'refusal', undefined],
  ['200 where a refusal belongs', answered(200), 'refusal', ['failed', /it was accepted/]],
  ['500 where a refusal belongs', answered(500), 'refusal', ['failed', /^500/]],
  ['404 at clean-up', answered(404), 'settled', undefined],
  ['500 at clean-up', answered(500), 'settled', ['failed', /^500/]],
  ['503 that says when', saysWhen(503, '7'), 'success', ['failed', /^503, retry after 7 s$/]],
  ['429', answered(429), 'success', ['unknown', /throttled$/]],
  ['429 where a refusal belongs', saysWhen(429, 'Fri, 20 Nov'), 'refusal', ['unknown', /retry after Fri, 20 Nov/]],
  ['no answer, theirs', failed('service'), 'success', ['unreachable', /in tls: so it is/]],
  ['no answer, ours', failed('ours'), 'settled', ['unknown', /in tls: so it is/]],
  ['the rule is met', answered(200, ok({ code: 0 })), 'success', undefined, rule],
  ['the rule is not met', answered(200, ok({ code: 7 })), 'success', ['failed', /\/code is 7/], rule],
  ['the rule meets a list', answered(200, ok({ code: [[]] })), 'success', ['failed', /\/code is a list/], rule],
  ['the rule finds nothing', answered(200, bad('empty')), 'success', ['failed', /\/code is absent/], rule],
  ['the rule says a refusal', answered(200, ok({ code: 7 })), 'refusal', undefined, rule],
];

for (const [name, given, outcome, expected, successWhen] of rows)
  test(`${name}: ${expected?.[0] ?? 'as expected'}`, () => {
    const shortfall = judge(given, outcome, successWhen);
    assert.equal(shortfall?.verdict, expected?.[0]);
    if (expected) assert.match(shortfall?.observed ?? '', expected[1]);
  });

test('what a spec claims stands in place of common sense', () => {
  assert.equal(judge(answered(404), 'success', undefined, 'documented: it is there')?.claim, 'documented: it is there');
  assert.match(judge(answered(404), 'success')?.claim ?? '', /^assumed: success is a 2xx/);
});
