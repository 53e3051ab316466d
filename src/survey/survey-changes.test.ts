import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Facts } from '../facts/index.ts';
import { answers, fact } from '../testing/survey/learned.ts';
import type { FlatSchema, ObservedOperation, ObservedResponse } from '../verdict/index.ts';
import { answersChanged, bestAnswers, factChanges, newAnswers } from './survey-changes.ts';

const { answer: _, ...open } = fact('repeat', '');
const changing: [name: string, before: string | undefined, after: string | undefined, found: string][] = [
  ['new', undefined, 'accepted', 'missing'],
  ['the same', 'accepted', 'accepted', 'nothing'],
  ['the same, and written by hand without its status', 'refused', 'refused with 409', 'nothing'],
  ['another', 'accepted', 'refused with 409', 'changed'],
  ['not answered any more', 'accepted', undefined, 'nothing'],
];
for (const [name, before, after, expected] of changing)
  test(`an answer that is ${name}: ${expected}`, () => {
    const known = new Facts(before === undefined ? [] : [fact('repeat', before)]);
    const { missing, changed } = factChanges(known, [after === undefined ? open : fact('repeat', after)]);
    assert.equal(missing.length > 0 ? 'missing' : changed.length > 0 ? 'changed' : 'nothing', expected);
  });

const text = { type: 'string' };
const object = (properties: Record<string, FlatSchema>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
});
const only = (type: string | string[]) => object({ a: { type } });
const [a, ab, abMayLackB] = [only('string'), object({ a: text, b: text }), object({ a: text, b: text }, ['a'])];

const ofLove = (samples: number, schema: FlatSchema, kind = '200') => answers({ [kind]: { samples, schema } });

const kept: [name: string, before: ObservedOperation, after: ObservedOperation, isNew: boolean][] = [
  ['as many samples replace', ofLove(30, abMayLackB), ofLove(30, ab), true],
  ['fewer samples replace nothing', ofLove(30, ab), ofLove(3, object({ a: text, b: text }, [])), false],
  [
    'whole numbers in fewer samples contradict nothing',
    ofLove(30, only('integer')),
    ofLove(3, object({ a: { type: 'number' } }, [])),
    false,
  ],
  ['fewer samples replace what they contradict', ofLove(30, ab), ofLove(3, object({ a: text }, [])), true],
  ['null contradicts', ofLove(30, abMayLackB), ofLove(1, { type: ['object', 'null'] }), true],
];

for (const [name, before, after, isNew] of kept)
  test(name, () => assert.deepEqual(bestAnswers([before], [after]), [isNew ? after : before]));

test('a kind of answer that was not seen this time stays', () => {
  const [found] = bestAnswers([ofLove(30, a, '404')], [ofLove(30, a)]);
  assert.deepEqual(Object.keys(found?.answers ?? {}), ['200', '404']);
});

test('changes of responses are listed by their kind, and new kinds last', () => {
  const before = [answers({ 200: { schema: ab }, 404: { schema: ab } })];
  const after = [answers({ 200: { schema: abMayLackB }, 404: { schema: a }, 409: { schema: a } })];
  assert.deepEqual(
    answersChanged(before, after).map(({ what }) => what),
    ['response 200: /b is no longer always present', 'response 404: /b is missing', 'response 409 (new)'],
  );
  assert.deepEqual(answersChanged(before, before), []);
});

const few = (type: string) => object({ a: { type } }, []);
const byChance: [
  name: string,
  before: Partial<ObservedResponse>,
  after: Partial<ObservedResponse>,
  wanted: string[],
][] = [
  ['fewer whole numbers', { schema: only('integer') }, { schema: few('number') }, []],
  ['more whole numbers', { schema: few('number') }, { schema: only('integer') }, []],
  [
    'whole numbers alone, in few responses',
    { schema: { type: 'integer' } },
    { schema: { type: 'number' }, samples: 3 },
    [],
  ],
  ['no null this time', { schema: only(['string', 'null']) }, { schema: a }, []],
  ['always a body this time', { body: 'sometimes' }, { body: 'always' }, []],
  ['never a body', { body: 'always' }, { body: 'never' }, ['body always → never']],
  ['no optional field', { schema: abMayLackB }, { schema: a }, []],
  ['dates that few texts show', { schema: few('string') }, { schema: object({ a: { ...text, format: 'date' } }) }, []],
  ['a new field', { schema: a }, { schema: ab }, ['/b is new']],
  ['another type', { schema: a }, { schema: few('boolean') }, ['/a string → boolean']],
  ['one content type of two', { contentTypes: ['a/json', 'text/html'] }, { contentTypes: ['a/json'] }, []],
];
for (const [name, before, after, wanted] of byChance)
  test(`what other samples may show: ${name}: ${wanted.length === 0 ? 'no change' : wanted}`, () => {
    const changes = answersChanged([answers({ 200: before })], [answers({ 200: after })]);
    const certain = changes.filter(({ mayBeChance }) => !mayBeChance);
    assert.deepEqual(
      [changes.length > 0, certain.map(({ what }) => what.replace('response 200: ', ''))],
      [true, wanted],
    );
  });

test('the responses of an operation that nobody had observed are new', () => {
  const other = { ...ofLove(30, a), operation: 'unlove' };
  assert.deepEqual(newAnswers([ofLove(30, ab)], [ofLove(30, a), other]), [other]);
});
