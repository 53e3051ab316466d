import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../../../client/index.ts';
import { fakeExchange, fakeResponse, fakeText } from '../../../testing/contract/fake-response.ts';
import { type Found, friendKnown, lag, refusals } from './found.ts';
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
const cached = (control: string) => lag(answer(200, [], { 'cache-control': control }), 2_000);
const friend = (response: Exchange, how: 'request' | 'token' = 'request') => friendKnown(response, how);
const page = answer(401, '<html>', { 'content-type': 'text/html' });

const rows: [name: string, found: Found, text: RegExp, sets?: string][] = [
  ['a refusal as JSON', refused(answer(401, { a: 1 })), /401 without its token, as JSON/],
  ['a refusal as text', refused(answer(403, 'no')), /403 .*as plain text \(text\/plain\)/],
  ['a refusal as a page', refused(page), /as a page/],
  ['a refusal without a body', refused(answer(401, '')), /without a body/],
  ['a crash', refused(answer(500, '')), /answers 500: how it refuses is not known yet/],
  ['silence', refused(silent), /no response \(connection refused\)/],
  ['the same answer', refused(list), /it is not checked there/],
  ['a signal', refused(answer(200, { code: 9 }), answer(200, { code: 0 })), /by \/code=0/, 'SUCCESS_WHEN=/code=0'],
  ['another body without a signal', refused(answer(200, { why: 'x' })), /set SUCCESS_WHEN/],
  ['no cache', cached('no-store, max-age=60'), /shows only after one/],
  ['a cache', cached('private, max-age=60'), /cached for 60 s/, 'CONSISTENCY_TIMEOUT_MS=61000'],
  ['the longer of two', cached('s-maxage=90, max-age="10"'), /90 s/, 'CONSISTENCY_TIMEOUT_MS=91000'],
  ['a cache that is known', cached('max-age=1'), /cached for 1 s; it may lag for 2000 ms/],
  ['a cache longer than the key may be', cached('max-age=86400'), /86400 s/, 'CONSISTENCY_TIMEOUT_MS=600000'],
  ['a friend', friend(list), /is known: its profile can be read/],
  ['an unknown friend', friend(answer(404, {})), /is not known there \(404\)/],
  ['a friend whose token is wrong', friend(answer(401, {}), 'token'), /FRIEND_ACCESS_TOKEN is refused \(401\)/],
  ['a friend and a crash', friend(answer(500, '')), /not clear \(500\)/],
  ['a friend and silence', friend(silent), /no response/],
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
