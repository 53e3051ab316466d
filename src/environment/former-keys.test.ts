import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Facts } from '../facts/index.ts';
import { factProblem } from '../questions/index.ts';
import { factsOfKey } from './former-keys.ts';

const formerKeys: [key: string, value: string, found: string[] | undefined][] = [
  ['TYPE_VERSION_MEANS', 'copy', ['cloneType type-version copy']],
  ['UNKNOWN_USERS_ARE', 'refused', ['block unknown-user refused']],
  ['REPORTS_AGAIN_ARE', 'refused', ['report repeat refused']],
  ['REPORT_CODES_AT_ONCE', 'some', ['report codes-at-once some']],
  ['FLAG_DEFAULT_IS', 'decides', ['evaluate default-fallback on or off, as the default says']],
  ['AVATARS_ARE', 'plain', ['saveAvatar avatar-form plain']],
  ['PROFILES_ARE', 'online', ['updateProfile profile-form online', 'getFriendProfile profile-form online']],
  ['PROFILES_ARE', 'offline', undefined],
  ['HEADERS_NOT_CHECKED', 'mm-client-id', undefined],
];
for (const [key, value, found] of formerKeys)
  test(`${key}=${value} is ${found?.join(' and ') ?? 'not understood'}`, () => {
    const facts = factsOfKey(key, value, '2026-11-27');
    const words = facts?.map(({ operation, question, answer }) => `${operation} ${question} ${answer}`);
    assert.deepEqual(words, found);
    for (const each of facts ?? []) assert.equal(factProblem(each), undefined);
  });

test('a list of headers that are not checked says of the others that they are', () => {
  const facts = new Facts(
    factsOfKey('HEADERS_NOT_CHECKED', 'mm-client-id:wrong, mm-user-id:empty@evaluate', '2026-11-27'),
  );
  for (const each of facts) assert.equal(factProblem(each), undefined);
  const answers = [
    facts.of('wrong-header:mm-client-id', 'love'),
    facts.of('empty-header:mm-user-id', 'evaluate'),
    facts.of('empty-header:mm-user-id', 'love'),
    facts.of('token-user', 'love'),
  ];
  assert.deepEqual(
    answers.map((found) => found?.answer),
    ['accepted', 'accepted', 'refused', 'tied'],
  );
});
