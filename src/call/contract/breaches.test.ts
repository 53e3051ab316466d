import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange, HttpResponse } from '../../http/exchange.ts';
import { fakeExchange, fakeResponse, fakeText } from '../../testing/contract/fake-response.ts';
import type { Conformance, SpecifiedOperation, SpecifiedResponse } from '../../verdict/service-under-test.ts';
import { requestBreaches, responseBreaches } from './contract-log.ts';

const isObject: Conformance = (value) => (typeof value === 'object' ? [] : [`the body is ${typeof value}`]);
const isText: Conformance = (value) => (typeof value === 'string' && value.length < 9 ? [] : ['too long']);
const isNumber: Conformance = (value) => (/^\d+$/.test(String(value)) ? [] : ['the value is no number']);

const operation = (responses: Record<string, Partial<SpecifiedResponse>>): SpecifiedOperation => ({
  file: 'own.yaml',
  place: 'GET /v1/friends/block/{n1}/{n2}',
  parameters: [],
  responses: new Map(Object.entries(responses).map(([status, each]) => [status, { headers: [], ...each }])),
});
const content = (types: Record<string, Conformance | undefined>) => ({ content: new Map(Object.entries(types)) });
const listed = { 200: content({ 'application/json': isObject }), '4XX': content({ 'application/json': isObject }) };
const withDefault = { 200: {}, default: content({ 'application/json': isObject }) };
const headers = (name: string, required: boolean, holds?: Conformance) => ({
  headers: [{ name, in: 'header' as const, required, ...(holds ? { holds } : {}) }],
});

const ok = (types: Record<string, Conformance | undefined>) => ({ 200: content(types) });
const [JSON_TYPE, PROBLEM] = ['application/json', 'application/problem+json'];
const two = ok({ [JSON_TYPE]: isObject, 'text/plain': isText });
const ofType = (type: string) => ({ 'content-type': type });

const total = { 200: headers('X-Total', true, isNumber) };

type Row = [
  name: string,
  responses: Record<string, Partial<SpecifiedResponse>>,
  response: HttpResponse,
  broken: string[],
  noted?: string[],
];

const rows: Row[] = [
  ['a body that conforms', listed, fakeResponse(200, {}), []],
  ['a body that does not', listed, fakeResponse(200, 5), ['the body is number']],
  ['a body that is not JSON', listed, fakeText(200, '<', ofType(JSON_TYPE)), ['the body is not valid JSON']],
  ['a type with a charset', listed, fakeResponse(200, {}, ofType('Application/JSON; charset=utf-8')), []],
  [
    'another content type',
    listed,
    fakeText(200, 'a', ofType('text/html')),
    [`content type text/html, but ${JSON_TYPE} is specified`],
  ],
  ['no content type, where one is possible', listed, fakeResponse(200, 5, {}), ['the body is number']],
  [
    'no content type, where two are',
    two,
    fakeResponse(200, {}, {}),
    [`content type none, but ${JSON_TYPE} or text/plain is specified`],
  ],
  ['a range of types', ok({ 'application/*': isObject }), fakeResponse(200, 5), ['the body is number']],
  ['any content type', ok({ '*/*': isObject }), fakeResponse(200, 5), ['the body is number']],
  ['JSON of another name', ok({ [PROBLEM]: isObject }), fakeResponse(200, 5, ofType(PROBLEM)), ['the body is number']],
  ['plain text', ok({ 'text/plain': isText }), fakeText(200, 'a long text', ofType('text/plain')), ['too long']],
  [
    'what no schema describes',
    ok({ 'application/xml': isObject }),
    fakeText(200, '<a/>', ofType('application/xml')),
    [],
  ],
  ['no body where one is specified', listed, fakeResponse(200), ['there is no body']],
  ['no body, and no schema', { 200: content({ 'application/json': undefined }) }, fakeResponse(200), []],
  ['no body where none is specified', { 200: {} }, fakeResponse(200), []],
  ['a body where none is specified', { 200: {} }, fakeResponse(200, 5), []],
  ['204, which has no body', { 204: content({ 'application/json': isObject }) }, fakeResponse(204), []],
  ['a success that is not listed', listed, fakeResponse(201, {}), ['status 201, but own.yaml lists 200, 4XX']],
  ['a redirect that is not listed', listed, fakeResponse(302), ['status 302, but own.yaml lists 200, 4XX']],
  ['an error in a range', listed, fakeResponse(418, 5), ['the body is number']],
  ['an error that is not listed', { 200: {} }, fakeResponse(404, 5), [], ['status 404; own.yaml lists 200']],
  ['a failure that is not listed', { 200: {} }, fakeResponse(503, 5), [], ['status 503; own.yaml lists 200']],
  ['an error that default covers', withDefault, fakeResponse(404, 5), ['the body is number']],
  ['a success that default covers', withDefault, fakeResponse(201, {}), []],
  ['an exact status goes before its range', { 404: {}, ...listed }, fakeResponse(404, 5), []],
  ['no responses at all', {}, fakeResponse(200, 5), ['status 200, but own.yaml lists no response']],
  ['a header that is missing', { 200: headers('X-Total', true) }, fakeResponse(200), ['header X-Total is missing']],
  ['a header that may be missing', { 200: headers('X-Total', false) }, fakeResponse(200), []],
  ['a header, in any case', total, fakeResponse(200, {}, { 'x-total': '5' }), []],
  ['a wrong header', total, fakeResponse(200, {}, { 'x-total': 'many' }), ['header X-Total: the value is no number']],
  ['a masked header', total, fakeResponse(200, {}, { 'x-total': 'a ***' }), []],
];

for (const [name, responses, response, broken, noted = []] of rows)
  test(name, () => {
    assert.deepEqual(responseBreaches(response, operation(responses)), { broken, noted });
  });

const isShort: Conformance = (value) => (String(value).length < 3 ? [] : ['the value is long']);

const place = 'GET /service/v1/friends/block/{offset}/{limit}';
const url = 'https://api.example.org/other/v1/friends/block/0/100?page=x1x';
const json = { 'Content-Type': 'application/json; charset=utf-8' };
const body = (required: boolean, type = 'application/json', holds: Conformance | undefined = isObject) => ({
  requestBody: { required, content: new Map([[type, holds]]) },
});

const isLong = 'parameter X-A: the value is long';
const withoutSchema = { requestBody: { required: true, content: new Map([['application/json', undefined]]) } };

type RequestRow = [
  name: string,
  specified: Partial<SpecifiedOperation>,
  request: Partial<Exchange['request']>,
  breaches: string[],
];

const parameter = (name: string, where: 'header' | 'path' | 'query', required = true) => ({
  parameters: [{ name, in: where, required, holds: isShort }],
});

const requests: RequestRow[] = [
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
  ['a wrong body', body(true), { body: '5', headers: json }, ['the body is number']],
  ['a missing body', body(true), {}, ['it has no body']],
  ['a missing body that need not be there', body(false), {}, []],
  [
    'another type',
    body(true, 'a/xml'),
    { body: '{}', headers: json },
    ['its content type is application/json, but a/xml is specified'],
  ],
  ['a body without a schema', withoutSchema, { body: '5', headers: json }, []],
  ['a body that is no JSON', body(true), { body: '{', headers: json }, ['the body is not valid JSON']],
  [
    'a body of plain text',
    body(true, 'text/plain', isShort),
    { body: 'long', headers: { 'content-type': 'text/plain' } },
    ['the value is long'],
  ],
  ['a masked body', body(true), { body: '"***"', headers: json }, []],
];

for (const [name, specified, request, breaches] of requests)
  test(name, () => {
    const exchange = fakeExchange({ request: { method: 'GET', url, headers: {}, correlation: {}, ...request } });
    const all: SpecifiedOperation = { file: 'own.yaml', place, parameters: [], responses: new Map(), ...specified };
    assert.deepEqual(requestBreaches(exchange, all), breaches);
  });
