import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Redactor } from '../../redaction/index.ts';
import { rawResponse, respondingWith, startRawServer } from '../../testing/servers/raw-server.ts';
import { environmentText, loadText } from '../../testing/test-environment.ts';
import { nodeTransports } from '../world/transports.ts';
import { inventedData } from './test-data.ts';
import { findUsers, moreUsers, provisionerAt } from './users.ts';

const rows: [keys: Readonly<Record<string, string>>, users: RegExp[], advice: string][] = [
  [{}, [/^sextant-/, /^sextant-/, /^sextant-/], 'FRIEND_USER_ID or PROVISION_URL'],
  [{ FRIEND_USER_ID: 'ben' }, [/^ben$/, /^sextant-/, /^sextant-/], 'OTHER_USER_IDS or PROVISION_URL'],
  [
    { FRIEND_USER_ID: 'ben', OTHER_USER_IDS: 'cem' },
    [/^ben$/, /^cem$/, /^sextant-/],
    'more OTHER_USER_IDS or PROVISION_URL',
  ],
  [
    { FRIEND_USER_ID: 'ben', OTHER_USER_IDS: 'ben,cem,dia' },
    [/^ben$/, /^cem$/, /^dia$/],
    'more OTHER_USER_IDS or PROVISION_URL',
  ],
  [{ OTHER_USER_IDS: 'cem,dia,eva' }, [/^cem$/, /^dia$/, /^eva$/], 'FRIEND_USER_ID or PROVISION_URL'],
];

for (const [keys, users, advice] of rows)
  test(`users who exist come first, and what would give more is not there yet: ${JSON.stringify(keys)}`, async () => {
    const environment = loadText('test', environmentText('http://127.0.0.1:1', keys));
    const data = inventedData(1);
    const found = await findUsers(environment, undefined, data, new Redactor([]));
    const ids = [found.friend, found.stranger, found.anotherStranger].map(({ userId }) => userId);
    for (const [index, id] of ids.entries()) assert.match(id, users[index] as RegExp);
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(moreUsers(environment), advice);
  });

let answer: unknown;
const server = await startRawServer(respondingWith(() => rawResponse('200 OK', JSON.stringify(answer))));
after(() => server.stop());
const url = new URL(`http://127.0.0.1:${server.port}/`);
const provisioner = provisionerAt(url, { ask: nodeTransports().ask, timeoutMs: 10_000, correlation: () => ({}) });

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

const unfit: [what: string, accessToken: string, says: RegExp][] = [
  ['too short to be masked', 'brief', /an accessToken of http.*\/users has fewer than 8 characters/],
  [
    'not for a header',
    'a-token\r\nof: two',
    /an accessToken of http.*\/users contains a character that is not allowed/,
  ],
];
for (const [what, accessToken, says] of unfit)
  test(`a token that is ${what} is the provisioner's failure`, async () => {
    answer = { users: [{ userId: 'u', accessToken }] };
    await assert.rejects(
      provisioner.users(1),
      ({ message }: Error) => says.test(message) && !message.includes('brief'),
    );
  });

test('an item without an id is the provisioner’s failure', async () => {
  answer = { itemIds: [null] };
  await assert.rejects(provisioner.items('u', 1), /did not return exactly 1 item id/);
});

test('a status is told though the body never ends', async (t) => {
  const begun = await startRawServer(respondingWith(() => 'HTTP/1.1 503 Busy\r\ncontent-length: 9\r\n\r\nhalf'));
  t.after(() => begun.stop());
  const way = { ask: nodeTransports().ask, timeoutMs: 10_000, correlation: () => ({}) };
  const busy = provisionerAt(new URL(`http://127.0.0.1:${begun.port}/`), way);
  await assert.rejects(busy.users(1), /returned status 503/);
});

test('users as asked for are handed on', async () => {
  answer = { users: [{ userId: 'u', accessToken: 'a-token-of-its-own' }] };
  assert.deepEqual(await provisioner.users(1), [{ userId: 'u', accessToken: 'a-token-of-its-own' }]);
});
