import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ConfigurationError } from '../../environment/index.ts';
import { firstArea } from '../../service/index.ts';
import { listDocument } from '../../testing/contract/contract-of-document.ts';
import { ownFolder } from '../../testing/servers/own-service.ts';
import { environmentText, loadText } from '../../testing/test-environment.ts';
import { listenAddress } from './admit.ts';
import { whereStarted } from './embedded-service.ts';
import { fingerprintOf, keepCurrent } from './keep-current.ts';

/**
 * Returns a list of starts and stops while the configuration changes from each of `versions` to the next. Some versions fail: `!` can't be
 * loaded, `#` causes a bug while it is loaded, and `?` can't be started.
 */
async function storyOf(...versions: readonly string[]): Promise<string> {
  const done: string[] = [];
  const controller = new AbortController();
  let at = 0;
  const current = () => versions[at] ?? '';
  await keepCurrent({
    first: 'a',
    seen: current(),
    load: () => {
      if (current() === '!') throw new ConfigurationError('wrong');
      if (current() === '#') throw new TypeError('a bug');
      return current();
    },
    start: async (version) => {
      if (version === '?') throw new ConfigurationError('taken');
      done.push(`start ${version}`);
      return { stop: async () => void done.push(`stop ${version}`) };
    },
    fingerprint: () => {
      at++;
      if (at >= versions.length) controller.abort();
      return current();
    },
    say: (line) => void done.push(line.endsWith('the new one.') ? 'new' : `kept: ${line.split(' ').at(-1)}`),
    signal: controller.signal,
    everyMs: 1,
  });
  return done.join(', ');
}

const rows: [name: string, versions: string[], story: string][] = [
  ['without a change it runs until the end', ['a', 'a'], 'start a, stop a'],
  ['a change starts it again, once', ['a', 'b', 'b'], 'start a, stop a, start b, new, stop b'],
  ['what is wrong is said once, and changes nothing', ['a', '!', '!'], 'start a, kept: wrong, stop a'],
  ['until it is mended', ['a', '!', '!', 'b', 'b'], 'start a, kept: wrong, stop a, start b, new, stop b'],
];

for (const [name, versions, story] of rows)
  test(`configuration: ${name}`, async () => assert.equal(await storyOf(...versions), story));

test('an error that is not of the configuration is not hidden', () => assert.rejects(storyOf('a', '#'), TypeError));

test('what does not start ends it', () => assert.rejects(storyOf('a', '?', '?'), /taken/));

const load = (name: string, port: number, keys = {}) =>
  loadText(name, environmentText(`http://127.0.0.1:${port}`, keys));

test('the embedded environment stays where it was started, with what has changed in its file since', () => {
  const { addresses, slowAfterMs } = whereStarted(load('local', 2, { SLOW_AFTER_MS: 7 }), load('local', 1));
  assert.deepEqual([addresses[firstArea].port, slowAfterMs], ['1', 7]);
  assert.equal(whereStarted(load('other', 2), load('local', 1)).addresses[firstArea].port, '2');
});

const addresses: [text: string | undefined, host: string, port: number][] = [
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
for (const [text, host, port] of addresses)
  test(`${JSON.stringify(text)} is ${host}, port ${port}`, () =>
    assert.deepEqual(listenAddress(text, '--listen'), { host, port }));

for (const text of ['0', '9465'])
  test(`${text} alone is a mistake that names both of its meanings`, () =>
    assert.throws(() => listenAddress(text, '--listen'), {
      message: `--listen ${text} is only a number; expected an address: 127.0.0.1:${text} for this machine, :${text} for every address.`,
    }));

for (const text of ['http://127.0.0.1:9465', '127.0.0.1:99999', '127.0.0.1:', 'a b', '[::1', '127.0.0.1:9465/x'])
  test(`${JSON.stringify(text)} is a mistake`, () => {
    assert.throws(
      () => listenAddress(text, 'PROBER_LISTEN'),
      (error) => error instanceof ConfigurationError && /^PROBER_LISTEN .*expected e\.g\./.test(error.message),
    );
  });

const document = (schema: object) => JSON.stringify(listDocument(schema));

test('the fingerprint changes with every file that the configuration is read from, and with no other', () => {
  const folder = ownFolder();
  process.env.SEXTANT_ENVIRONMENTS = folder;
  process.env.SEXTANT_OBSERVED = join(folder, 'observed');
  mkdirSync(join(folder, 'observed', 'one'), { recursive: true });
  const path = (name: string) => join(folder, name);
  const write = (name: string, text: string) => writeFileSync(path(name), text);
  let environments = ['one'];
  const current = () =>
    fingerprintOf({
      environments,
      settings: path('monitor.env'),
      process: { ONE_API_KEY_FILE: path('key'), OTHER_FILE: path('unrelated'), MONITOR_TOKEN_FILE: path('token') },
    });
  let last = current();
  const isChanged = () => {
    const found = current();
    const changed = found !== last;
    last = found;
    return changed;
  };
  assert.equal(isChanged(), false);
  const texts: [file: string, text: string][] = [
    ['one.env', 'FRIEND_URL=http://a.test/'],
    ['one.env', 'CLIENT_CERT_FILE=client.pem'],
    ['client.pem', 'certificate'],
    ['one.secret.env', `ACCESS_TOKEN_FILE=${path('secret')}\n`],
    ['secret', 'tok_1'],
    ['secret', 'tok_2'],
    ['key', 'key_1'],
    ['token', 'token_1'],
    ['monitor.env', `EVERY=30s\nSMTP_URL_FILE="${path('smtp')}"`],
    ['smtp', 'smtps://mail.test/'],
    ['one.facts.json', '{"facts": []}'],
    ['observed/one/love.json', '{}'],
    ['one.env', `${environmentText('http://a.test/')}OPENAPI=own.json, second.json`],
    ['own.json', document({ type: 'array' })],
    ['second.json', '{"openapi":"3.1.0","paths":{}}'],
  ];
  for (const [file, text] of texts) {
    write(file, text);
    assert.equal(isChanged(), true, `${file}: ${text}`);
  }
  write('one.env', 'OPENAPI=one.env/own.json\n');
  assert.equal(isChanged(), true, 'what cannot be there');
  for (const file of ['unrelated', 'two.env', 'two.facts.json']) {
    write(file, 'x');
    assert.equal(isChanged(), false, file);
  }
  environments = ['one', 'two'];
  assert.equal(isChanged(), true, 'another environment');
});
