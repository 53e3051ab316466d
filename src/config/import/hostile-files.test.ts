import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder } from '../../testing/import/importing.ts';
import { importSource, parseMapping, readSource } from './index.ts';

const hostile: [name: string, text: string | Uint8Array][] = [
  ['a picture', Uint8Array.from([137, 80, 78, 71, 0, 255, 254])],
  ['UTF-16', Buffer.from('FRIEND_URL=https://a.test\n', 'utf16le')],
  ['YAML of another kind', 'services:\n  web:\n    image: nginx\n'],
  ['broken JSON', '{"values": ['],
  ['a list of variables that is none', '{"values": {"a": 1}}'],
  ['prose', 'not an environment at all'],
  ['nothing', ''],
  ['curl for cmd.exe', 'curl ^"https://a.test/v1/friends/block^" ^\r\n  -X ^"POST^"'],
  ['Swagger 2', '{"swagger":"2.0","host":"a.test","paths":{}}'],
  ['JSON of another kind', '{"name":"x","dependencies":{}}'],
  ['deep JSON', `{"info":{},"item":${'[{"item":'.repeat(50_000)}[]${'}]'.repeat(50_000)}}`],
  ['deep YAML', `openapi: 3.1.0\npaths: ${'['.repeat(20_000)}`],
  [
    'keys of an object’s machinery',
    '{"__proto__":{"values":[]},"values":[{"key":"__proto__","value":"x"},{"key":"constructor","value":"y"}]}',
  ],
  [
    'headers of an object’s machinery',
    JSON.stringify({
      item: ['__proto__', 'constructor', 'toString'].map((key) => ({
        request: { url: 'x', header: [{ key, value: 'x' }] },
      })),
    }),
  ],
  ['a repeated key of YAML', 'openapi: 3.1.0\npaths: {a: 1, a: 2}\n'],
  ['a Postman collection of version 1', '{"id":"1","name":"x","order":[],"requests":[]}'],
  ['a curl command without an address', 'curl -H "a: b"'],
  ['quotes that never end', `curl 'https://a.test/${'x'.repeat(1_000)}`],
  ['a folder’s worth of nothing', ' '.repeat(1_000_000)],
];
for (const [name, content] of hostile)
  test(`${name} ends in one line, and never in an environment`, () => {
    writeFileSync(join(folder, 'hostile'), content);
    assert.throws(
      () => importSource(readSource(join(folder, 'hostile'))),
      (error: Error) => {
        assert.equal(error.name, 'ConfigurationError', String(error.stack));
        assert.match(error.message, /^[^\n]{10,1500}$/);
        return true;
      },
    );
  });

test('the paths of an OpenAPI document are read in linear time', () => {
  const path = (index: number) => `/v1/p${index}: {get: {operationId: o${index}}}`;
  const took = [1_000, 1_000, 8_000].map((count) => {
    const paths = Array.from({ length: count }, (_, index) => path(index)).join(', ');
    writeFileSync(join(folder, 'many.yaml'), `openapi: 3.1.0\nservers: [{url: https://a.test}]\npaths: {${paths}}\n`);
    const start = process.cpuUsage();
    assert.throws(() => importSource(readSource(join(folder, 'many.yaml'))), /Nothing in .* can be taken/);
    return process.cpuUsage(start).user;
  });
  const [, few = 0, many = 0] = took;
  assert.ok(many < 16 * few, `8 times the paths took ${(many / few).toFixed(0)} times as long`);
});

test('a folder is refused; Bruno’s with the way out', () => {
  const plain = join(folder, 'plain');
  mkdirSync(plain);
  assert.throws(() => readSource(plain), /plain is a folder, and files alone are imported\. Name a file\.$/);
  writeFileSync(join(plain, 'bruno.json'), '{}');
  assert.throws(
    () => readSource(plain),
    /It is Bruno's: export the collection from there as one file, and name that\.$/,
  );
});

const mappings: [words: string[], problem: RegExp][] = [
  [['base'], /base has no =/],
  [['base=FRIENDS'], /FRIENDS is not a key.*expected theirs=OURS/],
];
for (const [words, problem] of mappings)
  test(`--map ${words.join(' ')} is a mistake`, () => assert.throws(() => parseMapping(words), problem));
