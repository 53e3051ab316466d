import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeExchange } from '../../testing/contract/fake-response.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Conformance, SpecifiedOperation } from '../target/target.ts';
import { requestBreaches } from './breaches.ts';

const isShort: Conformance = (value) => (String(value).length < 3 ? [] : ['the value is long']);
const isObject: Conformance = (value) => (typeof value === 'object' ? [] : ['the body is no object']);

const place = 'GET /service/v1/friends/block/{offset}/{limit}';
const url = 'https://api.example.org/other/v1/friends/block/0/100?page=x1x';
const json = { 'Content-Type': 'application/json; charset=utf-8' };
const body = (required: boolean, type = 'application/json', holds: Conformance | undefined = isObject) => ({
  requestBody: { required, content: new Map([[type, holds]]) },
});

const isLong = 'parameter X-A: the value is long';
const withoutSchema = { requestBody: { required: true, content: new Map([['application/json', undefined]]) } };

type Row = [
  name: string,
  specified: Partial<SpecifiedOperation>,
  request: Partial<Exchange['request']>,
  breaches: string[],
];

const parameter = (name: string, where: 'header' | 'path' | 'query', required = true) => ({
  parameters: [{ name, in: where, required, holds: isShort }],
});

const rows: Row[] = [
  ['nothing specified', {}, {}, []],
  ['a path parameter, counted from the end', parameter('offset', 'path'), {}, []],
  ['a wrong one', parameter('limit', 'path'), {}, ['path parameter limit: the value is long']],
  ['one of the server’s', parameter('version', 'path'), {}, []],
  ['a header', parameter('X-A', 'header'), { headers: { 'x-a': '1' } }, []],
  ['a wrong header', parameter('X-A', 'header'), { headers: { 'x-a': 'many' } }, [`header ${isLong}`]],
  ['a missing header', parameter('X-A', 'header'), {}, ['header parameter X-A is missing']],
  ['a missing header that need not be there', parameter('X-A', 'header', false), {}, []],
  ['a header that is described elsewhere', parameter('authorization', 'header'), {}, []],
  ['a masked header', parameter('X-A', 'header'), { headers: { 'x-a': 'bearer ***' } }, []],
  ['a query', parameter('page', 'query'), {}, ['query parameter page: the value is long']],
  ['a missing query', parameter('size', 'query'), {}, ['query parameter size is missing']],
  ['a body', body(true), { body: '{}', headers: json }, []],
  ['a wrong body', body(true), { body: '5', headers: json }, ['the body is no object']],
  ['a missing body', body(true), {}, ['it has no body']],
  ['a missing body that need not be there', body(false), {}, []],
  [
    'another type',
    body(true, 'a/xml'),
    { body: '{}', headers: json },
    ['its content type is application/json, but a/xml is specified'],
  ],
  ['a body without a schema', withoutSchema, { body: '5', headers: json }, []],
  ['a masked body', body(true), { body: '"***"', headers: json }, []],
];

for (const [name, specified, request, breaches] of rows)
  test(name, () => {
    const exchange = fakeExchange({ request: { method: 'GET', url, headers: {}, correlation: {}, ...request } });
    const all: SpecifiedOperation = { file: 'own.yaml', place, parameters: [], responses: new Map(), ...specified };
    assert.deepEqual(requestBreaches(exchange, all), breaches);
  });
