import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { test } from 'node:test';
import { LONGEST_MS, originProblem, timeLimitMs } from './server.ts';

const rows: [header: string | undefined, limitMs: number][] = [
  ['10', 9_500],
  ['10.000000', 9_500],
  [' 2.5 ', 2_000],
  // Less than twice the offset keeps half of it.
  ['0.8', 400],
  ['0.5', 250],
  ['0.001', 0.5],
  [undefined, LONGEST_MS],
  ['', LONGEST_MS],
  ['0', LONGEST_MS],
  ['-3', LONGEST_MS],
  ['1e3', LONGEST_MS],
  ['0x10', LONGEST_MS],
  ['NaN', LONGEST_MS],
  ['Infinity', LONGEST_MS],
  ['10, 20', LONGEST_MS],
  ['ten', LONGEST_MS],
  ['999999999', LONGEST_MS - 500],
  ['9999999999', LONGEST_MS],
];

for (const [header, limitMs] of rows)
  test(`a scrape timeout of ${header === undefined ? 'no header' : JSON.stringify(header)} leaves ${limitMs} ms`, () => {
    assert.equal(timeLimitMs(header, 500), limitMs);
  });

const askers: [title: string, headers: IncomingHttpHeaders, listening: string, isForeign: boolean][] = [
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

for (const [title, headers, listening, isForeign] of askers)
  test(`${title} is ${isForeign ? 'refused' : 'answered'}`, () => {
    assert.equal(originProblem(headers, listening) !== undefined, isForeign);
  });
