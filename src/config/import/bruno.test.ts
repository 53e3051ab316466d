import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { exportedWithRequests, fromRequests, secrets, writeBrunoCollection } from '../../testing/import/exports.ts';
import { assertImported, folder, imported } from '../../testing/import/importing.ts';
import { importSource, readSource } from './index.ts';

test('a collection by Bruno’s own library, with one of its environments', () => {
  const collection = join(folder, 'bruno');
  writeBrunoCollection(collection);
  assert.throws(
    () => importSource(readSource(collection)),
    /has several environments: production\.bru, qa\.bru\. Import one of them: /,
  );
  const found = importSource(readSource(join(collection, 'environments', 'qa.bru')));
  assert.equal(found.name, 'qa');
  assertImported(found, { ...exportedWithRequests, ...fromRequests }, { ACCESS_TOKEN: secrets.ACCESS_TOKEN });
  assert.ok(
    found.ignored.includes('theKey is a secret, whose value Bruno does not write into its files'),
    found.ignored.join('\n'),
  );
  assert.ok(
    found.ignored.some((line) => line.startsWith('API_KEY comes from {{theKey}}')),
    found.ignored.join('\n'),
  );
});

test('a collection that Bruno exported as one JSON file', () => {
  const request = (url: string, more: object = {}) => ({
    type: 'http',
    name: 'x',
    request: {
      method: 'GET',
      url,
      headers: [],
      auth: { mode: 'bearer', bearer: { token: '{{t}}' } },
      body: { mode: 'none' },
      ...more,
    },
  });
  const headers = [
    { name: 'mm-user-id', value: 'user-qa', enabled: true },
    { name: 'mm-client-id', value: 'not this one', enabled: false },
  ];
  const items = [
    { type: 'folder', name: 'Friends', items: [request('{{host}}/friends/v1/friends/block/0/50', { headers })] },
    request('{{host}}/stories/v1/reports/opt/:language', {
      params: [{ name: 'language', value: 'de', type: 'path', enabled: true }],
    }),
    request('{{host}}/features/v1/apikey/feature', {
      method: 'POST',
      body: { mode: 'json', json: '{"key":"flag-qa"}' },
    }),
  ];
  const environments = ['qa', 'production'].map((name) => ({
    name,
    variables: [
      { name: 'host', value: `https://api.${name}.test`, enabled: true, secret: false },
      { name: 't', value: secrets.ACCESS_TOKEN, enabled: true, secret: true },
    ],
  }));
  const found = imported('bruno.json', JSON.stringify({ name: 'QA', version: '1', items, environments }));
  assert.equal(found.name, 'qa');
  assertImported(
    found,
    {
      FRIEND_URL: 'https://api.qa.test/friends',
      FEATURES_URL: 'https://api.qa.test/features',
      BLOCK_LIST_SEGMENTS: '0/50',
      FLAG_KEY: 'flag-qa',
      USER_ID: 'user-qa',
      STORY_URL: 'https://api.qa.test/stories',
      REPORT_LANGUAGE: 'de',
    },
    { ACCESS_TOKEN: secrets.ACCESS_TOKEN },
  );
  assert.ok(found.ignored.includes('the environment production: the first one was taken'));
});

test('a folder that isn’t a collection, and one whose files aren’t Bruno’s', () => {
  const plain = join(folder, 'plain');
  mkdirSync(plain);
  assert.throws(
    () => importSource(readSource(plain)),
    /is a folder, but not that of a Bruno collection: it has no bruno\.json/,
  );
  writeFileSync(join(plain, 'opencollection.yml'), 'opencollection: 1.0.0\n');
  assert.throws(
    () => importSource(readSource(plain)),
    /is a Bruno collection in YAML, which can't be read\. Export it/,
  );
  writeFileSync(join(plain, 'bruno.json'), '{}');
  writeFileSync(join(plain, 'x.bru'), '}{');
  assert.throws(() => importSource(readSource(plain)), /^ConfigurationError: Nothing in .*plain .* can be taken/);
});
