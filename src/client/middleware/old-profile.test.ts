import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGeneratedProfile, oldValues, overwrittenFields, type ProfileField } from './old-profile.ts';

const all: ProfileField[] = ['name', 'status', 'url', 'gender'];
const ada = { name: 'Ada', status: 'sailing', url: 'https://a.test/1.png', gender: 2 };
const ben = { id: 'ben', ...ada, name: 'Ben' };

const rows: [name: string, answer: unknown, fields: ProfileField[], expected: object | undefined][] = [
  ['the bare record', ada, all, ada],
  ['in an envelope', { code: 0, data: { user: ada } }, all, ada],
  ['beside an avatar with a name', { userId: 'ada', ...ada, avatar: { name: 'Sea hat' } }, all, ada],
  ['among other users', { users: [ben, { id: 'ada', ...ada }] }, all, ada],
  ['only what was overwritten', { userId: 'ada', name: 'Ada', avatar: { name: 'Sea hat' } }, ['name'], { name: 'Ada' }],
  ['empty texts', { ...ada, name: '', url: '' }, all, { ...ada, name: '', url: '' }],
  ['the user’s id is a number', { id: 7, ...ada }, all, ada],
  ['no field at all', { ok: true }, all, undefined],
  ['one field missing', { name: 'Ada', status: 'sailing', gender: 2 }, all, undefined],
  ['a field of another type', { ...ada, gender: 'female' }, all, undefined],
  ['a gender that is not an integer', { ...ada, gender: 1.5 }, all, undefined],
  ['null instead of a text', { ...ada, url: null }, all, undefined],
  ['two records, neither the user’s', [ada, { ...ada, name: 'Ben' }], all, undefined],
  [
    'two records, both the user’s',
    [
      { id: 'ada', ...ada },
      { id: 'ada', ...ada, name: 'A.' },
    ],
    all,
    undefined,
  ],
  ['another record holds one of the fields', { data: ada, friend: { name: 'Ben' } }, all, undefined],
  ['spread over two records', { a: { name: 'Ada', status: 's' }, b: { url: 'u', gender: 1 } }, all, undefined],
  ['not JSON', undefined, all, undefined],
];

for (const [name, answer, fields, expected] of rows) {
  const userId = name.includes('number') ? '7' : 'ada';
  test(`old values: ${name}`, () => assert.deepEqual(oldValues(answer, userId, fields), expected));
}

test('old values: 100,000 levels are searched without a stack overflow', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}${JSON.stringify(ada)}${']'.repeat(100_000)}`);
  assert.deepEqual(oldValues(deep, 'ada', all), ada);
});

test('what an update overwrites: its fields, and what its includes name', () => {
  assert.deepEqual(overwrittenFields({ includes: '', name: 'x' }), ['name']);
  assert.deepEqual(overwrittenFields({ includes: 'avartarUrl;gender', name: 'x' }), ['name', 'url', 'gender']);
  assert.deepEqual(overwrittenFields({ includes: 'name', name: 'x', gender: 0 }), ['name', 'gender']);
});

test('the suite’s own data is never an old value', () => {
  const isOwn = (text: string) => text.includes('sextant-');
  assert.ok(isGeneratedProfile({ name: 'sextant-lorem', gender: 1 }, isOwn));
  assert.ok(isGeneratedProfile({ url: 'https://images.example/sextant-1f.png' }, isOwn));
  assert.ok(!isGeneratedProfile({ name: 'Ada', gender: 1 }, isOwn));
});
