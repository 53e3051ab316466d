import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { seeded, serviceReadings } from '../../../../reference-service/index.ts';
import { ConfigurationError } from '../../../environment/index.ts';
import { areaIds } from '../../../service/index.ts';
import {
  answering,
  answersFor,
  assertOnlyReads,
  at,
  environments,
  folder,
  played,
  scriptedAsker,
} from '../../../testing/programs/guided-start.ts';
import { certificateFor } from '../../../testing/servers/certificate.ts';
import { ownService } from '../../../testing/servers/own-service.ts';
import { rawResponse, startRawServer } from '../../../testing/servers/raw-server.ts';
import { strangers } from '../../../testing/survey/strangers/index.ts';
import { withStranger } from '../../../testing/survey/strangers/stranger.ts';
import { canaries, environmentText } from '../../../testing/test-environment.ts';
import { Stopped } from './asker.ts';
import { newEnvironment } from './new-environment.ts';

const service = await ownService();

for (const [name, stranger] of Object.entries(strangers))
  test(`a service that the suite wasn't made with, ${name}: tried and written by reading alone`, async () => {
    await withStranger(stranger, async (known) => {
      const own = { ...stranger.keys };
      const text = environmentText(known.addresses.friends.href, own);
      // The guided start offers BLOCK_LIST_SEGMENTS only if the list refuses the usual segments.
      const next = (_: number, choices: readonly string[]) =>
        choices.find((each) => ['SUCCESS_WHEN', 'BLOCK_LIST_SEGMENTS'].includes(each)) ?? 'on';
      const { code, arrived, said, environment } = await played({
        ...answersFor(text),
        'What now?': (times, choices) => (times < 4 ? next(times, choices) : 'on'),
      });
      assert.equal(code, 0, said);
      // If a service responds to an empty list with 404, a read can't show whether the list is empty or the path is wrong.
      const left = /Still to be corrected:\n(.*)\n(.*)/.exec(said)?.slice(1).join() ?? '';
      assert.match(
        left,
        name === 'keyed' ? /✗ response +Friends: no such path.*if the list only has no entries/ : /^$/,
        said,
      );
      assert.match(said, /✓ credentials +accepted by .*Feature toggles/);
      assertOnlyReads(arrived, own.FRIEND_PROFILE_REQUEST);
      assert.deepEqual(environment.successWhen, known.successWhen, said);
      assert.deepEqual([...environment.allowedEffects], ['read']);
    });
  });

test('a service whose status is always 200: SUCCESS_WHEN is advised, and no token is taken for an accepted one before', async () => {
  service.faults.set(...serviceReadings.successRule.body.changes('all'));
  const text = environmentText(service.addresses, { ACCESS_TOKEN: undefined, SUCCESS_WHEN: '/done=true' });
  const wrong = (times: number) => (times === 1 ? 'canary-wrong-0123456789' : seeded.caller.accessToken);
  const script = {
    ...answersFor(text),
    ACCESS_TOKEN: wrong,
    'What now?': (times: number) => ['SUCCESS_WHEN', 'ACCESS_TOKEN'][times - 1] ?? 'on',
  };
  const { said, environment, arrived } = await played(script);
  const [first = '', second = '', third = ''] = said.split('? What now?');
  assert.match(
    first,
    /! refusals +.* status 200, too: .*"done":false.*\n +→ .*set SUCCESS_WHEN to what signals success/,
  );
  assert.doesNotMatch(first, /✓ credentials/);
  assert.match(second, /✗ credentials +Friends: refused \(200, \/done is false\)\n +→ check ACCESS_TOKEN/);
  assert.match(third, /✓ credentials +accepted by /);
  assert.equal(environment.successWhen?.text, '/done=true');
  assert.doesNotMatch(said, /canary/);
  assertOnlyReads(arrived);
});

const offered: [
  name: string,
  allowed: string,
  answer: string | undefined,
  survey: () => Promise<number>,
  code: number,
  said: RegExp,
][] = [
  ['yes', 'read', 'yes', async () => 3, 3, /answers to mine\.facts\.json\.\n.*=read the survey changes nothing\./],
  [
    'the usual answer, where nothing stays',
    'read,reversible',
    undefined,
    async () => 0,
    0,
    /=read,reversible the survey blocks and loves, and undoes that\. Ctrl-C/,
  ],
  ['no', 'read', 'no', () => assert.fail('not asked for'), 0, /npx sextant survey --env mine/],
  [
    'the usual answer, where something stays',
    'read,reversible,overwriting,irreversible',
    undefined,
    () => assert.fail('not asked for'),
    0,
    /irreversible the survey blocks and loves, and undoes that; overwrites [^;]*; leaves [^;]* for good\. Ctrl-C[\s\S]*npx sextant survey --env mine/,
  ],
  [
    'yes, but no consent',
    'read',
    'yes',
    () => Promise.reject(new ConfigurationError('no consent')),
    0,
    /no consent[\s\S]*npx sextant survey/,
  ],
];
for (const [name, allowed, answer, survey, code, pattern] of offered)
  test(`a survey is offered at the end: ${name}`, async () => {
    const asked: string[] = [];
    const found = await played(
      {
        ...answersFor(environmentText(service.addresses)),
        'What may be sent (ALLOWED_EFFECTS)?': allowed,
        ...(answer ? { 'Survey it now?': answer } : {}),
      },
      {
        survey: (environment) => {
          asked.push(environment.name);
          return survey();
        },
      },
    );
    assert.equal(found.code, code, found.said);
    assert.match(found.said, pattern);
    assert.match(found.said, /\nCommit \S*mine\.env; git ignores the secrets\.\nFor a pipeline see docs\/ci\.md;/);
    assert.equal(/npx sextant survey --env mine/.test(found.said), asked.length === 0 || /no consent/.test(found.said));
  });

test('where the try found something to correct, no survey is offered', async (t) => {
  const { url, stop } = await answering(() => ({ status: 502, body: '{}' }));
  t.after(stop);
  const { said } = await played(answersFor(at(url)), { survey: () => assert.fail('not asked for') });
  assert.doesNotMatch(said, /Survey it now/);
});

const odd: [name: string, handle: Parameters<typeof answering>[0], said: RegExp][] = [
  [
    'a captive portal',
    () => ({ status: 200, type: 'text/html', body: '<html>log in</html>' }),
    /✗ response +Friends: answers with a page instead of JSON \(200\)\n +→ FRIEND_URL may be the address of .* a login page or of a captive portal/,
  ],
  [
    'a prefix that is missing',
    () => ({ status: 404, type: 'text/plain', body: 'no' }),
    /no such path \(404\): \/v1\/friends\/block\/0\/100\n +→ check the path prefix in FRIEND_URL/,
  ],
  [
    'a gateway without a service',
    () => ({ status: 502, body: '{}' }),
    /the service, or a gateway before it, is unavailable \(502\)\n +→ check that the service is running/,
  ],
  [
    'a redirect to a login',
    () => ({ status: 302, headers: { location: 'https://login.test/?next=canary-query' } }),
    /redirects \(302\) to https:\/\/login\.test\/\n +→ put the address that serves the API itself into FRIEND_URL/,
  ],
];
for (const [name, handle, pattern] of odd)
  test(`${name} is explained`, async (t) => {
    const { url, stop } = await answering(handle);
    t.after(stop);
    const { said, code, arrived } = await played(answersFor(at(url)));
    assert.equal(code, 0);
    assert.match(said, pattern, said);
    assert.doesNotMatch(said, /canary/);
    assertOnlyReads(arrived);
  });

test('a self-signed certificate and a dead port, each with its cure', async (t) => {
  const answer = { onRequest: (socket: Socket) => void socket.end(rawResponse('200 OK', '[]')) };
  const server = await startRawServer(answer, certificateFor('127.0.0.1', 90));
  t.after(() => server.stop());
  const script = { ...answersFor(at(`https://127.0.0.1:${server.port}`)), STORY_URL: 'http://127.0.0.1:1' };
  const { said } = await played(script);
  assert.match(
    said,
    /✗ TLS +https:\S+ does not respond: the certificate is self-signed\n +→ trust the authority that signed it: /,
  );
  assert.match(
    said,
    /✗ connection +http:\/\/127\.0\.0\.1:1\/ does not respond: connection refused\n +→ check the port in STORY_URL/,
  );
});

function put(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

test('from a file: only what it lacks is asked for, and no secret is shown', async () => {
  const text = environmentText('https://api.qa.test/', { ...canaries, USER_ID: 'user-qa', HOST: 'x' });
  const { said, environment } = await played(
    { 'Try it now?': 'no', USER_ID: 'never asked for' },
    { from: [put('qa.env', text)] },
  );
  assert.equal(environment.caller.userId, 'user-qa');
  assert.match(said, /took ACCESS_TOKEN, API_KEY, .*FRIEND_URL/);
  assert.doesNotMatch(said, /\? (USER_ID|FRIEND_URL|ACCESS_TOKEN)\b/);
  assert.match(said, /left out: HOST is not a recognised key/);
  assert.match(said, /left out: ALLOWED_EFFECTS is the last question/);
  // A token can only be used together with the id of its user, so the guided start leaves out a token without an id.
  assert.match(said, /left out: FRIEND_ACCESS_TOKEN, because FRIEND_USER_ID is not known/);
  assert.equal(environment.friend.accessToken, undefined);
  assert.doesNotMatch(said, /canary/);
  assert.ok(areaIds.every((area) => environment.addresses[area].href.startsWith('https://api.qa.test/')));
});

test('one that exists is left alone, and replaced only if that is wanted', async () => {
  const own = join(environments, 'mine.env');
  const before = environmentText('http://127.0.0.1:1', { ...canaries, STORY_ID: 'kept' });
  writeFileSync(own, before);
  const asker = scriptedAsker({});
  await assert.rejects(
    newEnvironment('mine', { asker, env: {} }),
    /mine\.env exists already\. Correct it there .*--force/,
  );
  assert.deepEqual([readFileSync(own, 'utf8'), asker.said()], [before, '']);
  const { environment } = await played({ 'Try it now?': 'no' }, { force: true, from: [own] });
  assert.equal(environment.data.storyId, 'kept');
});

test('stopped after the file was written, what was entered is there, and loads', async (t) => {
  const { url, stop } = await answering(() => ({ status: 401 }));
  t.after(stop);
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
    /Stopped\. .*mine\.env and .*mine\.secret\.env have what you entered: correct it there; npx sextant doctor --env mine/,
  );
  assert.deepEqual([...environment.allowedEffects], ['read']);
});

test('a token that something issues is not asked for, and its failure is a line', async (t) => {
  const { url, stop } = await answering(() => ({ status: 200, body: '[]' }));
  t.after(stop);
  const keys = { ACCESS_TOKEN: undefined, TOKEN_URL: 'http://127.0.0.1:1/token' };
  const { code, said } = await played({}, { from: [put('issued.env', environmentText(url, keys))] });
  assert.equal(code, 0, said);
  assert.match(said, /ACCESS_TOKEN comes from TOKEN_URL\./);
  assert.match(said, /ACCESS_TOKEN was not issued: http.*token can't be reached \(ECONNREFUSED\)/);
});

test('an earlier answer is changed by going back, over what was not asked, and offered again', async () => {
  const asked = { ...answersFor(at('http://127.0.0.1:1')), 'Try it now?': 'no' };
  const { said, environment } = await played({
    ...asked,
    CLIENT_ID: (times) => ['client-wrong', '<', 'client-right'][times - 1] ?? '',
    USER_ID: (times) => (times === 1 ? '<' : 'user-1'),
    FRIEND_URL: (times) => (times === 1 ? '<' : 'http://127.0.0.1:2'),
    STORAGE_URL: 'http://127.0.0.1:1',
  });
  assert.equal(environment.caller.clientId, 'client-right');
  assert.match(said, /This is the first question\./);
  assert.match(said, /CLIENT_ID\n\? USER_ID\n\? CLIENT_ID\n\? STORAGE_URL\n\? CLIENT_ID\n\? USER_ID/);
});

test('after the try, any answer can be corrected', async (t) => {
  const { url, stop } = await answering(() => ({ status: 401 }));
  t.after(stop);
  const script = {
    ...answersFor(at(url)),
    'What now?': (times: number) => (times === 1 ? 'other' : 'on'),
    'Which?': 'APP_BUNDLE',
    APP_BUNDLE: (times: number) => (times === 1 ? 'first' : 'second'),
  };
  const { environment } = await played(script);
  assert.equal(environment.caller.app['app-bundle'], 'second');
});

test('secrets of the process environment are not asked for', async () => {
  const env = { MINE_ACCESS_TOKEN: 'canary-process-token', MINE_API_KEY: 'canary-process-key' };
  const asker = scriptedAsker({
    ...answersFor(environmentText('http://127.0.0.1:1', { ACCESS_TOKEN: undefined, API_KEY: undefined })),
    'Try it now?': 'no',
  });
  assert.equal(await newEnvironment('mine', { asker, env }), 0);
  assert.match(asker.said(), /ACCESS_TOKEN comes from MINE_ACCESS_TOKEN in the process environment/);
  assert.doesNotMatch(asker.said() + readFileSync(join(environments, 'mine.env'), 'utf8'), /canary/);
});
