import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suggestionFor } from './questions.ts';

const rows: [
  key: Parameters<typeof suggestionFor>[0],
  given: Readonly<Record<string, string>>,
  suggestion: string | undefined,
][] = [
  ['FRIEND_URL', {}, undefined],
  ['STORY_URL', {}, undefined],
  ['STORY_URL', { FRIEND_URL: 'http://127.0.0.1:4010' }, 'http://127.0.0.1:4011'],
  ['STORY_URL', { FRIEND_URL: 'http://127.0.0.1:4010/api/' }, 'http://127.0.0.1:4010/api/'],
  ['STORY_URL', { FRIEND_URL: 'https://friends.qa.org/' }, 'https://stories.qa.org/'],
  ['STORY_URL', { FRIEND_URL: 'https://api.qa.org/friend' }, 'https://api.qa.org/story'],
  [
    'GAMEDESIGN_URL',
    { FRIEND_URL: 'https://friends.qa.org', STORY_URL: 'https://stories.qa.org' },
    'https://gamedesign.qa.org',
  ],
  ['STORY_URL', { FRIEND_URL: 'https://api.qa.org' }, 'https://api.qa.org'],
  ['STORY_URL', { FRIEND_URL: 'nonsense' }, undefined],
  ['REPORT_LANGUAGE', { APP_LANG: 'sw' }, 'sw'],
  ['APP_ENV', {}, 'qa'],
  ['CLIENT_ID', { USER_ID: 'u' }, undefined],
  ['ACCESS_TOKEN', {}, undefined],
];
for (const [key, given, suggestion] of rows)
  test(`${key} after ${Object.values(given).join(', ') || 'nothing'}: ${suggestion ?? 'no suggestion'}`, () =>
    assert.equal(suggestionFor(key, 'qa', new Map(Object.entries(given))), suggestion));
