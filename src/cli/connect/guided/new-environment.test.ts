import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { areaIds, areas } from '../../../spec/index.ts';
import { postmanCollectionText } from '../../../testing/import/exports.ts';
import { answering, answersFor, at, environments, folder, played } from '../../../testing/programs/guided-start.ts';
import { ScriptedAsker } from '../../../testing/programs/scripted-asker.ts';
import { environmentText } from '../../../testing/test-environment.ts';
import { newEnvironment } from './new-environment.ts';
import { Stopped } from './prompts/asker.ts';

test('from a collection: only what it lacks is asked for, and no secret is shown', async () => {
  const file = join(folder, 'qa.json');
  writeFileSync(file, postmanCollectionText());
  const { said, environment } = await played(
    { ...answersFor(at('https://api.qa.test/')), 'Try it now?': 'no', USER_ID: 'never asked for' },
    { from: [file] },
  );
  assert.equal(environment.caller.userId, 'user-qa');
  assert.match(said, /a Postman collection \(v2\.1\): took ACCESS_TOKEN, API_KEY, .*FRIEND_URL/);
  assert.doesNotMatch(said, /\? (USER_ID|FRIEND_URL|ACCESS_TOKEN)\b/);
  assert.match(said, /left out: host is not a recognised key/);
  assert.doesNotMatch(said, /canary/);
  assert.equal(
    areaIds.every((area) => environment.addresses[area].href.startsWith('https://api.qa.test/')),
    true,
    areas.friends.title,
  );
});

test('a source that can’t be used gets a line, and the questions go on', async () => {
  const script = { ...answersFor(at('http://127.0.0.1:1')), 'Try it now?': 'no' };
  const { said } = await played({
    ...script,
    'A file with requests or variables, or a curl command': '/nowhere/at/all',
    'Another one': (times) =>
      times === 1 ? "curl 'http://127.0.0.1:1/v1/friends/block/3/7' -H 'mm-user-id: user-of-curl'" : '',
  });
  assert.match(said, /\/nowhere\/at\/all \(the file to import\) is missing/);
  assert.match(said, /a curl command: took .*BLOCK_LIST_SEGMENTS/);
});

test('an address that goes too far is offered without /v1', async () => {
  const file = join(folder, 'far.env');
  writeFileSync(
    file,
    environmentText('http://127.0.0.1:1').replace(/^STORY_URL=.*$/m, 'STORY_URL=http://127.0.0.1:7/api/v1/stories'),
  );
  const { said, environment } = await played({ 'Try it now?': 'no' }, { from: [file] });
  assert.match(said, /left out: STORY_URL .*drop \/v1 and all after it: http:\/\/127\.0\.0\.1:7\/api/);
  assert.equal(environment.addresses.stories.href, 'http://127.0.0.1:7/api/');
});

test('one that exists is changed with what it has as suggestions, or left alone', async () => {
  const own = join(environments, 'mine.env');
  writeFileSync(own, `${environmentText('http://127.0.0.1:1', { STORY_ID: 'kept', MAX_CONCURRENCY: 3 })}NONSENSE=1\n`);
  const before = readFileSync(own, 'utf8');
  const question = Object.fromEntries([[`${own} exists already.`, 'stop']]);
  const stopped = new ScriptedAsker(question);
  assert.equal(await newEnvironment('mine', { asker: stopped, env: {} }), 130);
  assert.match(stopped.said, /Nothing was written/);
  assert.equal(readFileSync(own, 'utf8'), before);
  const { environment, said } = await played({ USER_ID: 'another', 'Try it now?': 'no' }, { force: true });
  assert.deepEqual(
    [environment.caller.userId, environment.data.storyId, environment.rateLimits?.maxConcurrency],
    ['another', 'kept', 3],
  );
  assert.match(said, /left out: NONSENSE is not a recognised key/);
});

test('stopped after the file was written, what was entered is there, and loads', async () => {
  const { url, stop } = await answering(() => ({ status: 401 }));
  try {
    const script = {
      ...answersFor(at(url)),
      'What now?': () => {
        throw new Stopped('Ctrl-C');
      },
    };
    const { code, said, environment } = await played(script);
    assert.equal(code, 130);
    assert.match(
      said,
      /Stopped\. .*mine\.env and .*mine\.secret\.env hold what was entered; npx sextant environments new mine goes on/,
    );
    assert.deepEqual([...environment.allowedEffects], ['read']);
  } finally {
    stop();
  }
});

test('a token of a second user without an id is left out, and the file loads', async () => {
  const env = environmentText('http://127.0.0.1:1', { FRIEND_ACCESS_TOKEN: 'canary-friend-token-1' });
  const file = join(folder, 'app.env');
  writeFileSync(file, env);
  const { said, environment } = await played({ 'Try it now?': 'no' }, { from: [file] });
  assert.match(said, /left out: FRIEND_ACCESS_TOKEN, because FRIEND_USER_ID is not known/);
  assert.match(said, /left out: ALLOWED_EFFECTS is asked for at the end/);
  assert.equal(environment.friend.accessToken, undefined);
});

test('secrets of the process environment are not asked for', async () => {
  const env = { MINE_ACCESS_TOKEN: 'canary-process-token', MINE_API_KEY: 'canary-process-key' };
  const asker = new ScriptedAsker({
    ...answersFor(environmentText('http://127.0.0.1:1', { ACCESS_TOKEN: undefined, API_KEY: undefined })),
    'Try it now?': 'no',
  });
  assert.equal(await newEnvironment('mine', { asker, env }), 0);
  assert.match(asker.said, /ACCESS_TOKEN comes from MINE_ACCESS_TOKEN in the process environment/);
  assert.doesNotMatch(asker.said + readFileSync(join(environments, 'mine.env'), 'utf8'), /canary/);
});
