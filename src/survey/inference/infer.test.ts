import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inferSchema, shapeText } from './schema.ts';
import { addToProfile, emptyProfile, type OwnMarks } from './value-profile.ts';

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

function infer(values: readonly unknown[], own?: Partial<OwnMarks>) {
  const profile = emptyProfile();
  const marks = { sent: () => false, wrote: () => false, isId: () => false, isRequests: () => false, ...own };
  for (const value of values) addToProfile(profile, value, marks);
  // Converts the profile to JSON and back, because a profile must give the same schema after it was stored.
  return inferSchema(JSON.parse(JSON.stringify(profile)));
}

const uuid = (index: number) => `0000000${index % 10}-0000-4000-8000-00000000000${index % 10}`;

const rows: [name: string, values: unknown[], shape: string][] = [
  ['nothing seen', [], 'anything'],
  ['a field always there in 20 samples is required', times(20, () => ({ a: 'x' })), '{a: string}'],
  ['in 19 it is not', times(19, () => ({ a: 'x' })), '{a?: string}'],
  ['missing once in 21, it is not', [...times(20, () => ({ a: 'x' })), {}], '{a?: string}'],
  ['null beside a text', [...times(20, () => ({ a: 'x' })), { a: null }], '{a: string | null}'],
  ['whole numbers, 20 of them', times(20, (i) => i), 'integer'],
  ['whole numbers, 19 of them', times(19, (i) => i), 'number'],
  ['one fraction among them', [...times(20, (i) => i), 0.5], 'number'],
  ['two types', ['x', 1], 'string | number'],
  ['an empty list', [[]], 'anything[]'],
  ['entries of many lists count together', times(5, () => times(4, () => ({ id: 'x' }))), '{id: string}[]'],
  ['a list of two types', [['x', 1]], '(string | number)[]'],
  ['a date in 3 different texts', times(3, (i) => `2026-01-0${i + 1}T00:00:00.000Z`), 'date-time'],
  ['the same date 30 times', times(30, () => '2026-01-01T00:00:00Z'), 'string'],
  ['one text that is not a date', [...times(20, (i) => `2026-01-0${(i % 9) + 1}T00:00:00Z`), 'soon'], 'string'],
  ['ids that are uuids', times(5, uuid), 'uuid'],
  ['addresses', times(3, (i) => `https://a.example/v1/${i}?page=%5B${i}`), 'uri'],
  ['addresses that RFC 3986 does not know', times(3, (i) => `https://a.example/v1?page[size]=${i}`), 'string'],
  ['two codes, each often enough', times(20, (i) => (i % 2 ? 'SPAM' : 'HATE')), '"HATE" | "SPAM"'],
  ['a code seen once makes no enum', [...times(20, (i) => (i % 2 ? 'SPAM' : 'HATE')), 'NEW'], 'string'],
  ['one code alone makes no enum', times(30, () => 'SPAM'), 'string'],
  ['codes in 19 samples make no enum', times(19, (i) => (i % 2 ? 'SPAM' : 'HATE')), 'string'],
  ['words are no codes', times(30, (i) => (i % 2 ? 'spam' : 'hate')), 'string'],
  ['many names, none always there, are a map', times(40, (i) => ({ [`id-${i}`]: 1 })), '{[name]: integer}'],
];

for (const [name, values, shape] of rows) test(name, () => assert.equal(shapeText(infer(values)), shape));

const codes = times(30, (i) => (i % 2 ? 'SPAM' : 'HATE'));
const filled = { id: 'u', name: 'mine', gender: 1, avatar: { name: 'mine' } };
const empty = { id: 'u', name: null, gender: null, avatar: null };

const ownRows: [name: string, values: unknown[], shape: string, own?: Partial<OwnMarks>][] = [
  ['an id that was sent has no format', times(20, uuid), 'string', { sent: () => true }],
  ['codes that were sent make no enum', codes, 'string', { sent: () => true }],
  ['what was only ever null may be anything', times(20, () => ({ next: null })), '{next: anything}'],
  [
    'a record that was filled before it was seen may be empty',
    times(20, () => filled),
    '{id?: string | null, name?: string | null, gender?: integer | null, avatar?: {name?: string | null} | null}',
  ],
  [
    'but for what the request named',
    times(20, () => filled),
    '{id: string, name?: string | null, gender?: integer | null, avatar?: {name?: string | null} | null}',
    { sent: (text) => text === 'u' },
  ],
  [
    'a value in a record that was not filled stays',
    [...times(20, () => filled), { id: 'u', name: 'theirs', gender: 2, avatar: { name: 'theirs' } }],
    '{id: string, name: string, gender: integer, avatar: {name: string}}',
  ],
  [
    'an empty record shows what may be null',
    [...times(20, () => filled), empty],
    '{id: string, name: string | null, gender: integer | null, avatar: {name?: string | null} | null}',
  ],
  ['an entry of a list holds always what it holds', [times(20, () => ({ id: 'mine' }))], '{id: string}[]'],
  ['ids as names are data, from the first', [{ a: 1 }], '{[name]: number}', { isId: (name) => name === 'a' }],
  [
    'what only requests have may be there, and hold anything',
    times(20, () => ({ id: 'u', includes: 'name' })),
    '{id: string, includes?: anything}',
    { isRequests: (name) => name === 'includes' },
  ],
  [
    'beside them, a field is what is always there',
    times(20, (i) => ({ total: 1, ...(i % 2 ? { a: 1 } : { b: 1 }) })),
    '{total: integer, [name]: integer}',
    { isId: (name) => name === 'a' },
  ],
];

for (const [name, values, shape, own] of ownRows)
  test(name, () => assert.equal(shapeText(infer(values, { wrote: (text) => text === 'mine', ...own })), shape));

test('a field named __proto__ is a field like any other', () => {
  const values = times(20, () => JSON.parse('{"__proto__": "x"}'));
  assert.equal(shapeText(infer(values)), '{__proto__: string}');
});

test('a response that is nested 30,000 times is cut', () => {
  const nested: unknown = JSON.parse(`${'{"a":'.repeat(30_000)}"mine"${'}'.repeat(30_000)}`);
  assert.match(shapeText(infer([nested], { wrote: (text) => text === 'mine' })), /^\{a\?: \{a\?: /);
});
