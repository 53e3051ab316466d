import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ConfigurationError, loadEnvironment } from '../../config/index.ts';
import { listDocument } from '../../testing/contract/contract-of-document.ts';
import { ownFolder } from '../../testing/servers/own-service.ts';
import { environmentText } from '../../testing/test-environment.ts';
import { fingerprintOf } from './configuration-files.ts';

const document = (schema: object) => JSON.stringify(listDocument(schema));

test('the fingerprint changes with every file that the configuration is read from, and with no other', () => {
  const folder = ownFolder();
  process.env.SEXTANT_ENVIRONMENTS = folder;
  const path = (name: string) => join(folder, name);
  mkdirSync(path('api'));
  const write = (name: string, text: string) => writeFileSync(path(name), text);
  // What a document refers to is known once it was loaded, successfully or not.
  const load = () => {
    try {
      loadEnvironment('one', { folder, processEnvironment: {} });
    } catch (error) {
      assert.ok(error instanceof ConfigurationError);
    }
  };
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
    ['one.env', `${environmentText('http://a.test/')}OPENAPI=own.json, second.json`],
    ['own.json', document({ $ref: 'api/list.json' })],
    ['second.json', '{"openapi":"3.1.0","paths":{}}'],
    ['api/list.json', '{}'],
    ['api/list.json', '{"type":"array"}'],
  ];
  for (const [file, text] of texts) {
    write(file, text);
    assert.equal(isChanged(), true, `${file}: ${text}`);
    load();
  }
  for (const file of ['unrelated', 'two.env']) {
    write(file, 'x');
    assert.equal(isChanged(), false, file);
  }
  environments = ['one', 'two'];
  assert.equal(isChanged(), true, 'another environment');
});
