import assert from 'node:assert/strict';
import { test } from 'node:test';
import { healthAddress } from './healthcheck.ts';

const files: Readonly<Record<string, string>> = {
  'monitor.env': 'EVERY=5s\n',
  'other.env': 'export PORT="84" # a comment\n',
  // Lines in other forms than `PORT=85` that the monitor accepts in its settings file. The health check must read the port from them, too.
  'colon.env': 'PORT: 85\n',
  'quotes.env': 'PORT=`86`\n',
};

for (const [words, variables, expected] of [
  ['node sextant.js check --env staging', {}, undefined],
  ['node sextant.js test', {}, undefined],
  ['', {}, undefined],
  ['node sextant.js monitor', {}, 'http://127.0.0.1:9464/healthz'],
  ['node sextant.js monitor', { MONITOR_PORT: '80' }, 'http://127.0.0.1:80/healthz'],
  ['node sextant.js monitor --port 81', { MONITOR_PORT: '80' }, 'http://127.0.0.1:81/healthz'],
  ['node sextant.js monitor --settings other.env', {}, 'http://127.0.0.1:84/healthz'],
  ['node sextant.js monitor --settings other.env', { MONITOR_PORT: '80' }, 'http://127.0.0.1:80/healthz'],
  ['node sextant.js monitor --settings colon.env', {}, 'http://127.0.0.1:85/healthz'],
  ['node sextant.js monitor --settings quotes.env', {}, 'http://127.0.0.1:86/healthz'],
  ['node sextant.js monitor --settings=missing.env', {}, 'http://127.0.0.1:9464/healthz'],
  ['node sextant.js prober', {}, 'http://127.0.0.1:9465/healthz'],
  ['node sextant.js prober', { PROBER_LISTEN: '0.0.0.0' }, 'http://127.0.0.1:9465/healthz'],
  ['node sextant.js prober', { PROBER_LISTEN: '0.0.0.0:82' }, 'http://127.0.0.1:82/healthz'],
  ['node sextant.js prober --listen=:83 --yes', { PROBER_LISTEN: '0.0.0.0:82' }, 'http://127.0.0.1:83/healthz'],
  ['tini -- node entrypoint.js prober --env *', {}, 'http://127.0.0.1:9465/healthz'],
] as const)
  test(`"${words}" with ${JSON.stringify(variables)}`, () => {
    assert.equal(
      healthAddress(words.split(' '), variables, (file) => files[file] ?? ''),
      expected,
    );
  });
