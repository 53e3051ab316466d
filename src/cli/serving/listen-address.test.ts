import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigurationError } from '../../config/index.ts';
import { listenAddress } from './admit.ts';

const rows: [text: string | undefined, host: string, port: number][] = [
  [undefined, '127.0.0.1', 9465],
  ['', '127.0.0.1', 9465],
  ['0.0.0.0', '0.0.0.0', 9465],
  ['0.0.0.0:9500', '0.0.0.0', 9500],
  [':9500', '0.0.0.0', 9500],
  ['127.0.0.1:0', '127.0.0.1', 0],
  ['prober.internal:80', 'prober.internal', 80],
  ['[::1]:9465', '::1', 9465],
  ['[::]', '::', 9465],
  ['::', '::', 9465],
  ['fe80::1', 'fe80::1', 9465],
];
for (const [text, host, port] of rows)
  test(`${JSON.stringify(text)} is ${host}, port ${port}`, () => {
    assert.deepEqual(listenAddress(text, '--listen'), { host, port });
  });

for (const text of ['http://127.0.0.1:9465', '127.0.0.1:99999', '127.0.0.1:', 'a b', '[::1', '127.0.0.1:9465/x'])
  test(`${JSON.stringify(text)} is a mistake`, () => {
    assert.throws(
      () => listenAddress(text, 'PROBER_LISTEN'),
      (error) => error instanceof ConfigurationError && /^PROBER_LISTEN .*expected e\.g\./.test(error.message),
    );
  });
