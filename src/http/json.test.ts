import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alike, entryCount, mentions, parseJson, valueAt } from './json.ts';

const document = { code: 0, 'a/b': { '~': [1, { x: null }] } };
const pointers: [pointer: string, value: unknown][] = [
  ['', document],
  ['/code', 0],
  ['/a~1b/~0/0', 1],
  ['/a~1b/~0/1/x', null],
  ['/nothing', undefined],
  ['/code/deeper', undefined],
  ['/__proto__', undefined],
  ['/constructor/name', undefined],
];

for (const [pointer, value] of pointers) {
  test(`${pointer || '(whole)'} → ${JSON.stringify(value)}`, () => assert.deepEqual(valueAt(document, pointer), value));
}

const rows: [name: string, answer: unknown, found: boolean][] = [
  ['a value in a list of records', [{ userId: 'other' }, { userId: 'wanted' }], true],
  ['a bare list', ['wanted'], true],
  ['a key', { blocked: { wanted: true } }, true],
  ['a number', { data: { ids: [7, 42] } }, false],
  ['deep in an envelope', { code: 0, data: { page: { entries: [{ user: { id: 'wanted' } }] } } }, true],
  ['behind a kind', ['user:wanted'], true],
  ['in a path', [{ href: '/v1/profile/wanted' }], true],
  ['in a path, percent-encoded', [{ href: '/v1/profile/client%7Cwanted' }], true],
  ['in an address with a query', ['https://users.example/v1/users/wanted?full=1'], true],
  ['in a key that is an address', { 'https://users.example/wanted': true }, true],
  ['at the end of a longer id', [{ userId: 'super-wanted' }], false],
  ['before a dot', ['wanted.too'], false],
  ['in a longer id of a path', ['/v1/users/wanted_too'], false],
  ['first in a longer id, then alone', ['wanted2 wanted'], true],
  ['a broken percent sign', ['100 % of wanted'], true],
  ['a JSON text in a string', [JSON.stringify([{ userId: 'wanted' }])], false],
  ['a longer text that holds it', [{ userId: 'wanted-too' }], false],
  ['nothing', undefined, false],
  ['an empty list', [], false],
  ['a "__proto__" key', JSON.parse('{"__proto__":{"id":"wanted"}}'), true],
];

for (const [name, answer, found] of rows) {
  test(`mentions: ${name} → ${found}`, () => assert.equal(mentions(answer, 'wanted'), found));
}

test('mentions: a number is found by its digits, and an id in any case if so asked', () => {
  assert.ok(mentions([{ userId: 42 }], '42'));
  for (const inAnyCase of [true, false])
    assert.equal(mentions([{ href: '/users/client%7CWanted{?all}' }], 'wAnted', inAnyCase), inAnyCase);
});

test('mentions: an id of more digits than a number holds is found as a number, and no other', () => {
  const list = parseJson('[{"userId":1234567890123456789},{"userId":12345678901234567890123}]');
  assert.ok(mentions(list, '1234567890123456789'));
  assert.ok(mentions(list, '12345678901234567890123'));
  assert.ok(!mentions(list, '1234567890123456788'));
  assert.ok(mentions(parseJson('{"ids": [1234567890123456789]}'), '1234567890123456789'));
  assert.ok(!mentions([{ userId: 1234567890123456 }], '01234567890123456'));
  assert.equal(alike(list, '1234567890123456789').length, 2);
});

test('mentions: digits of a time are no id', () => {
  assert.ok(!mentions([{ blockedAt: '2026-11-21T10:42:07Z' }], '42'));
  assert.ok(mentions(['user:42'], '42'));
});

test('mentions: 100,000 levels are searched without a stack overflow', () => {
  const deep = parseJson(`${'['.repeat(100_000)}"wanted",1234567890123456789${']'.repeat(100_000)}`);
  assert.ok(mentions(deep, 'wanted'));
});

const labelled = (...labels: string[]) => labels.map((label, index) => ({ code: 'AB'[index], label }));
const options: [name: string, answer: unknown, codes: string[]][] = [
  ['records with labels', labelled('x', 'y'), ['A', 'B']],
  ['bare codes in an envelope', { status: 'OK', data: ['A', 'B'] }, ['A', 'B']],
  ['a map from code to label', { options: { A: 'x', B: 'y' }, status: 'OK' }, ['A', 'B']],
  ['groups', { groups: [{ items: [{ id: 'A' }] }, { items: [{ id: 'B' }, { id: 'C' }] }] }, ['A', 'B', 'C']],
  ['no known code', ['B', 'C'], []],
  ['codes behind a kind', { options: ['code:A', 'code:B', 'other'] }, ['A', 'B']],
  ['codes in paths', [{ href: '/codes/A/en' }, { href: '/codes/B/en' }], ['A', 'B']],
  ['a code beside a label that holds it', labelled('A (bad)', 'B (bad)'), ['A', 'B']],
];

for (const [name, answer, codes] of options) {
  test(`alike: ${name}`, () => assert.deepEqual(alike(answer, 'A').sort(), codes));
}

const counts: [answer: unknown, count: number | undefined][] = [
  [[1, 2], 2],
  [{ data: { list: [1] } }, 1],
  [{ a: 1 }, undefined],
  [undefined, undefined],
];

for (const [answer, count] of counts) {
  test(`entryCount of ${JSON.stringify(answer)} is ${count}`, () => assert.equal(entryCount(answer), count));
}
