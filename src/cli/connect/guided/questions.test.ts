import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suggestionFor } from './questions.ts';

const suggestions: [
  key: Parameters<typeof suggestionFor>[0],
  given: Readonly<Record<string, string>>,
  suggestion: string | undefined,
][] = [
  ['FRIEND_URL', {}, undefined],
  ['STORY_URL', {}, undefined],
  ['STORY_URL', { FRIEND_URL: 'https://api.qa.org' }, 'https://api.qa.org'],
  ['APP_ENV', {}, 'qa'],
  ['CLIENT_ID', { USER_ID: 'u' }, undefined],
  ['ACCESS_TOKEN', {}, undefined],
];
for (const [key, given, suggestion] of suggestions)
  test(`${key} after ${Object.values(given).join(', ') || 'nothing'}: ${suggestion ?? 'no suggestion'}`, () =>
    assert.equal(suggestionFor(key, 'qa', new Map(Object.entries(given))), suggestion));
