import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../../../client/index.ts';
import { fakeExchange, fakeResponse, fakeText } from '../../../testing/contract/fake-response.ts';
import { type Found, refusals } from './found.ts';
import { suggestionFor } from './questions.ts';

function answer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Exchange {
  const isText = typeof body === 'string';
  const all = { 'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json', ...headers };
  return fakeExchange({ response: isText ? fakeText(status, body, all) : fakeResponse(status, body, all) });
}
const silent = { operation: 'listBlocked', failure: { reason: 'connection refused' } } as unknown as Exchange;
const list = answer(200, []);
const lineOf = (found: Found) => (typeof found === 'string' ? found : found.text);

const refused = (response: Exchange, accepted = list) => refusals([accepted], response, 'its token');

const rows: [name: string, found: Found, text: RegExp, sets?: string][] = [
  ['a refusal', refused(answer(401, { a: 1 })), /an error status: 401 without its token\.$/],
  ['a crash', refused(answer(500, '')), /answers 500: how it refuses is not known yet/],
  ['silence', refused(silent), /no response \(connection refused\)/],
  ['the same answer', refused(list), /it is not checked there/],
  ['a signal', refused(answer(200, { code: 9 }), answer(200, { code: 0 })), /by \/code=0/, 'SUCCESS_WHEN=/code=0'],
  ['another body without a signal', refused(answer(200, { why: 'x' })), /set SUCCESS_WHEN/],
];
for (const [name, found, text, sets] of rows)
  test(`${name}: ${sets ?? 'nothing to set'}`, () => {
    assert.match(lineOf(found), text);
    assert.equal(typeof found === 'string' ? undefined : `${found.key}=${found.value}`, sets);
  });

const suggestions: [
  key: Parameters<typeof suggestionFor>[0],
  given: Readonly<Record<string, string>>,
  suggestion: string | undefined,
][] = [
  ['FRIEND_URL', {}, undefined],
  ['STORY_URL', {}, undefined],
  ['STORY_URL', { FRIEND_URL: 'https://api.qa.org' }, 'https://api.qa.org'],
  ['REPORT_LANGUAGE', { APP_LANG: 'sw' }, 'sw'],
  ['APP_ENV', {}, 'qa'],
  ['CLIENT_ID', { USER_ID: 'u' }, undefined],
  ['ACCESS_TOKEN', {}, undefined],
];
for (const [key, given, suggestion] of suggestions)
  test(`${key} after ${Object.values(given).join(', ') || 'nothing'}: ${suggestion ?? 'no suggestion'}`, () =>
    assert.equal(suggestionFor(key, 'qa', new Map(Object.entries(given))), suggestion));
