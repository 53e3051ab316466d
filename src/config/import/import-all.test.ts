import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { redact } from '../../client/index.ts';
import { areaIds, areas } from '../../spec/index.ts';
import { runInProcess } from '../../testing/programs/run-in-process.ts';
import { ownFolder } from '../../testing/servers/own-service.ts';
import { environmentText } from '../../testing/test-environment.ts';
import { importAll } from './index.ts';

const folder = ownFolder();

function put(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const environment = put('e.json', {
  name: 'qa',
  values: [
    { key: 'base', value: 'https://f.qa.your.org', enabled: true },
    { key: 'tok', value: 'secret-of-the-team', enabled: true, type: 'secret' },
    { key: 'FEATURE_TOGGLES_URL', value: 'https://t.qa.your.org', enabled: true },
  ],
});
const collection = put('c.json', {
  info: { schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json', name: 'ours' },
  item: [
    {
      name: 'block',
      request: {
        method: 'POST',
        url: '{{base}}/v1/friends/block',
        header: [
          { key: 'Authorization', value: 'bearer {{tok}}' },
          { key: 'mm-user-id', value: '{{me}}' },
        ],
      },
    },
  ],
});

test('an environment and a collection give together what neither gives alone, in any order', () => {
  for (const files of [
    [environment, collection],
    [collection, environment],
  ]) {
    const { values, secrets, ignored, name } = importAll(files);
    assert.equal(name, files[0] === environment ? 'qa' : 'ours');
    assert.deepEqual(Object.fromEntries(values), {
      FEATURES_URL: 'https://t.qa.your.org',
      FRIEND_URL: 'https://f.qa.your.org',
    });
    assert.deepEqual([...secrets], [['ACCESS_TOKEN', 'secret-of-the-team']]);
    assert.match(ignored.join('; '), /comes from \{\{me\}\}, which is in no file that was named/);
  }
});

test('a secret of one file is in no value of another', () => {
  const other = put('o.env', 'FLAG_KEY=x-secret-of-the-team\nCLIENT_ID=c\n');
  const { values, ignored } = importAll([other, environment]);
  assert.deepEqual([...values.keys()].sort(), ['CLIENT_ID', 'FEATURES_URL']);
  assert.match(ignored.join('; '), /FLAG_KEY contains one of the secrets/);
});

test('the program takes several files, and ends with 1 while something is missing', async () => {
  process.env.SEXTANT_ENVIRONMENTS = folder;
  const { code, out } = await runInProcess(['environments', 'import', environment, collection, '--name', 'both']);
  assert.equal(code, 1, out);
  assert.match(out, /It is not complete yet:/);
  assert.match(readFileSync(join(folder, 'both.env'), 'utf8'), /^FRIEND_URL=https:\/\/f\.qa\.your\.org$/m);
});

for (const format of ['postman', 'bruno'] as const)
  test(`what export writes for ${format} is read back, but for the secrets, which it leaves out`, async () => {
    const given = {
      ...Object.fromEntries(areaIds.map((area) => [areas[area].addressKey, `https://${area.toLowerCase()}.your.org`])),
      STORY_ID: 's-1',
      FLAG_KEY: 'f-1',
    };
    put('out.env', environmentText('https://a.test', given).replace(/^(ACCESS_TOKEN|API_KEY)=.*$/gm, ''));
    put('out.secret.env', 'ACCESS_TOKEN=token-of-this-test\nAPI_KEY=key-of-this-test\n');
    process.env.SEXTANT_ENVIRONMENTS = folder;
    const target = join(folder, format);
    const { code, err } = await runInProcess(['export', '--env', 'out', '--format', format, '--output', target]);
    assert.equal(code, 0, err);
    const files = globSync(format === 'bruno' ? '**/bruno.json' : '*', { cwd: target });
    const { values, secrets, ignored } = importAll(files.map((file) => join(target, file.replace(/bruno\.json$/, ''))));
    for (const [key, value] of Object.entries(given)) assert.equal(values.get(key), value, `${key} from ${files}`);
    assert.deepEqual([...secrets], []);
    // Names of variables are not secrets.
    assert.match(redact(ignored.join('\n')), /^(?=.*API_KEY)(?!.*\*\*\*)/s);
  });
