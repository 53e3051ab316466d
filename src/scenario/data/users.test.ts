import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Redactor } from '../../client/index.ts';
import { environmentText, loadText } from '../../testing/test-environment.ts';
import { InventedData } from './test-data.ts';
import { findUsers, moreUsers } from './users.ts';

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
    const data = new InventedData(1);
    const found = await findUsers(environment, undefined, data, new Redactor([]));
    const ids = [found.friend, found.stranger, found.anotherStranger].map(({ userId }) => userId);
    for (const [index, id] of ids.entries()) assert.match(id, users[index] as RegExp);
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(moreUsers(environment), advice);
  });
