import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fetchByRoute } from '../../client/index.ts';
import { rawResponse, respondingWith } from '../../testing/servers/raw-responses.ts';
import { startRawServer } from '../../testing/servers/raw-server.ts';
import { Provisioner } from './provisioner.ts';

let answer: unknown;
const server = await startRawServer(respondingWith(() => rawResponse('200 OK', JSON.stringify(answer))));
after(() => server.stop());
const url = new URL(`http://127.0.0.1:${server.port}/`);
const provisioner = new Provisioner(url, { ask: fetchByRoute, timeoutMs: 10_000, correlation: () => ({}) });

const token = 8_412_973_650;
const wrong: [what: string, answer: unknown][] = [
  ['no users', {}],
  ['too few', { users: [] }],
  ['an empty token', { users: [{ userId: 'u', accessToken: '' }] }],
  ['a token that is a number', { users: [{ userId: 'u', accessToken: token }] }],
  ['an id that is a number', { users: [{ userId: 7, accessToken: 'a-token-of-its-own' }] }],
];

for (const [what, given] of wrong) {
  test(`${what}: the provisioner is said to have failed, without what it gave`, async () => {
    answer = given;
    await assert.rejects(provisioner.users(1), (error: Error) => {
      assert.match(error.message, /did not return exactly 1 user/);
      assert.doesNotMatch(error.stack ?? '', new RegExp(String(token)));
      return true;
    });
  });
}

test('users as asked for are handed on', async () => {
  answer = { users: [{ userId: 'u', accessToken: 'a-token-of-its-own' }] };
  assert.deepEqual(await provisioner.users(1), [{ userId: 'u', accessToken: 'a-token-of-its-own' }]);
});
