import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeExchange, fakeResponse } from '../../testing/contract/fake-response.ts';
import type { ObservedResponse } from '../../verdict/service-under-test.ts';
import { driftOf } from './drift-log.ts';

const entry = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    at: { type: 'string', format: 'date-time' },
    code: { type: 'string', enum: ['A', 'B'] },
    note: { type: 'string' },
    count: { type: 'integer' },
  },
  required: ['id', 'at'],
};
const common = { samples: 30, observedAt: '2026-01-01T00:00:00Z', contentTypes: ['application/json'] };
const answers: Record<string, ObservedResponse> = {
  200: { ...common, body: 'always', schema: { type: 'array', items: entry } },
  204: { ...common, contentTypes: [null], body: 'never' },
  400: { ...common, body: 'always', schema: { type: 'object', properties: { error: { type: 'string' } } } },
};
const observed = { operation: 'listBlocked', answers };

interface Given {
  readonly status?: number;
  readonly type?: string | null;
  readonly body?: unknown;
}

const exchange = ({ status = 200, type = 'application/json; charset=utf-8', body }: Given) =>
  fakeExchange({ response: fakeResponse(status, body, type === null ? {} : { 'content-type': type }) });

const good = { id: 'a', at: '2026-01-01T00:00:00Z' };

const rows: [name: string, given: Given, broken: string[], noted: string[]][] = [
  ['as observed', { body: [good] }, [], []],
  ['an optional field is absent or there', { body: [good, { ...good, note: 'x' }] }, [], []],
  ['missing', { body: [{ id: 'a' }] }, ['/*/at is missing'], []],
  ['missing in a hundred entries is reported once', { body: Array(100).fill({ id: 'a' }) }, ['/*/at is missing'], []],
  ['renamed', { body: [{ id: 'a', when: good.at }] }, ['/*/at is missing; renamed to when?'], ['/*/when is new']],
  ['retyped', { body: [{ ...good, id: 7 }] }, ['/*/id is number, but string was observed'], []],
  ['newly null', { body: [{ ...good, note: null }] }, ['/*/note is null, but string was observed'], []],
  ['a fraction', { body: [{ ...good, count: 0.5 }] }, ['/*/count is number, but integer was observed'], []],
  ['another format', { body: [{ ...good, at: 'soon' }] }, ['/*/at must match format "date-time"'], []],
  ['an unseen value', { body: [{ ...good, code: 'C' }] }, [], ['/*/code has a value that was never observed']],
  ['a new field is only noted', { body: [{ ...good, more: { deep: 1 } }] }, [], ['/*/more is new']],
  ['another success', { status: 201, body: [good] }, ['status 201, but 200 or 204 was observed'], []],
  ['another refusal', { status: 409, body: {} }, [], ['status 409, which was never observed (observed: 400)']],
  ['a refusal of another look', { status: 400, body: { error: 1 } }, ['/error is number, but string was observed'], []],
  ['another type', { type: 'text/html', body: [] }, ['content type text/html, but application/json was observed'], []],
  ['no body', { body: undefined }, ['the body is empty, but JSON was observed'], []],
  ['none where there is none', { status: 204, type: null }, [], []],
  ['a body where there was none', { status: 204, type: null, body: {} }, ['a body, but none was observed'], []],
];

for (const [name, given, broken, noted] of rows)
  test(name, () => assert.deepEqual(driftOf(exchange(given), observed, undefined), { broken, noted }));

test('a list that was seen without entries alone may have some later', () => {
  const always = { ...observed, answers: { 204: answers[204] as ObservedResponse } };
  const noted = ['status 200, which was never observed (observed: 204)'];
  assert.deepEqual(driftOf(exchange({ body: [good] }), always, undefined), { broken: [], noted });
});

test('where a request adds or updates, or is new once, a success that no survey provoked is only noted', () => {
  const broken: string[] = [];
  for (const operation of ['saveAvatar', 'updateProfile', 'report'] as const) {
    const drift = driftOf({ ...exchange({ status: 201, body: [good] }), operation }, observed, undefined);
    assert.deepEqual(drift, { broken, noted: ['status 201, which was never observed (observed: 200, 204)'] });
  }
});

test('with SUCCESS_WHEN, a 200 that is a refusal is held to refusals', () => {
  const rule = { pointer: '/code', value: 0, text: '/code=0' };
  const shape = (type: string) => ({ type: 'object', properties: { data: { type } }, required: ['data'] });
  const byRule = {
    operation: 'love',
    answers: {
      '200': { ...common, body: 'always' as const, schema: shape('object') },
      '200 refused': { ...common, body: 'always' as const, schema: shape('null') },
    },
  };
  assert.deepEqual(driftOf(exchange({ body: { code: 4, data: null } }), byRule, rule).broken, []);
  assert.deepEqual(driftOf(exchange({ body: { code: 0, data: null } }), byRule, rule).broken, [
    '/data is null, but object was observed',
  ]);
});

test('an operation of which no success was ever observed is held to none', () => {
  const refusals = { operation: 'love', answers: { 401: answers['400'] as ObservedResponse } };
  assert.deepEqual(driftOf(exchange({ body: {} }), refusals, undefined), { broken: [], noted: [] });
});
