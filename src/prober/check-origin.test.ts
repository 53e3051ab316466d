import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { test } from 'node:test';
import { originProblem } from './check-origin.ts';

const rows: [title: string, headers: IncomingHttpHeaders, listening: string, isForeign: boolean][] = [
  ['Prometheus on this machine', { host: '127.0.0.1:9465' }, '127.0.0.1', false],
  ['localhost', { host: 'localhost:9465' }, '127.0.0.1', false],
  ['IPv6', { host: '[::1]:9465' }, '::1', false],
  ['a rebound name', { host: 'evil.test:9465' }, '127.0.0.1', true],
  ['no host', {}, '127.0.0.1', true],
  ['a service of a cluster', { host: 'sextant-prober.monitoring.svc:9465' }, '0.0.0.0', false],
  ['the address bar of a browser', { host: 'localhost:9465', 'sec-fetch-site': 'none' }, '127.0.0.1', false],
  ['a page of another site', { host: 'localhost:9465', 'sec-fetch-site': 'cross-site' }, '127.0.0.1', true],
  ['a page of another port', { host: 'localhost:9465', 'sec-fetch-site': 'same-site' }, '127.0.0.1', true],
  ['a page in a cluster', { host: '10.0.0.7:9465', 'sec-fetch-site': 'cross-site' }, '0.0.0.0', true],
];

for (const [title, headers, listening, isForeign] of rows)
  test(`${title} is ${isForeign ? 'refused' : 'answered'}`, () => {
    assert.equal(originProblem(headers, listening) !== undefined, isForeign);
  });
