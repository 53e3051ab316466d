import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Fact, Facts } from '../../engine/facts/index.ts';
import { openQuestions, type QuestionId } from '../../spec/index.ts';
import { type Asked, factAsked, factProblem, factsOfKey, readingOf } from './index.ts';

const fact = (operation: string, question: string, answer: string): Fact => {
  return { operation, question, answer, evidence: 'written by hand', askedAt: '2026-11-27' };
};
const header = (question: QuestionId, of: 'client' | 'user') => ({
  question,
  header: `mm-${of}-id`,
  operation: 'love',
});

const rows: [known: Fact, asked: Asked, reading: string | undefined][] = [
  [fact('block', 'unknown-user', 'refused with 404'), { question: 'unknownUser' }, 'refused'],
  [fact('report', 'repeat', 'refused'), { question: 'reportAgain' }, 'refused'],
  [fact('love', 'repeat', 'refused with 409'), { question: 'reportAgain' }, undefined],
  [fact('love', 'repeat', 'refused with 409'), { question: 'changeAgain', operation: 'love' }, 'refused'],
  [fact('evaluate', 'default-fallback', 'on or off, as the default says'), { question: 'flagDefault' }, 'decides'],
  [fact('updateProfile', 'profile-form', 'online-2'), { question: 'profileForm' }, 'online-2'],
  [fact('love', 'missing-header:mm-client-id', 'refused with 400'), header('headerMissing', 'client'), 'refused'],
  [fact('block', 'wrong-header:mm-client-id', 'accepted'), header('headerWrong', 'client'), undefined],
  [fact('love', 'token-user', 'not tied'), header('headerOfAnother', 'user'), 'accepted'],
];
for (const [known, asked, reading] of rows)
  test(`${known.operation} ${known.question} is ${known.answer}: ${asked.question} is ${reading ?? 'not known'}`, () => {
    const found = readingOf({ name: 'qa', facts: new Facts([known]) }, asked);
    assert.deepEqual(found, reading === undefined ? undefined : { reading, source: 'the facts of qa' });
  });

test('without facts nothing is known', () => {
  assert.equal(readingOf({ name: 'qa' }, { question: 'typeVersion' }), undefined);
});

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

test('every question that a scenario depends on has a fact, or a key', () => {
  const ids = Object.keys(openQuestions) as QuestionId[];
  const open = ids.filter((question) => {
    const isAnswered = factAsked({ question, operation: 'love', header: 'mm-user-id' }) !== undefined;
    return !isAnswered && !('key' in openQuestions[question]);
  });
  // The shape of a response is held to its schema.
  assert.deepEqual(open, ['bodyForm', 'idForm', 'errorForm']);
});

const problems: [fact: Fact, problem: RegExp][] = [
  [fact('lovely', 'repeat', 'accepted'), /^operation is none of block, /],
  [fact('love', 'repeats', 'accepted'), /^question is none that is asked about love: success-status, .*repeat/],
  [fact('love', 'missing-header:app-ver', 'accepted'), /^question is none/],
  [fact('love', 'repeat', 'sometimes'), /^answer "sometimes" is not one of: accepted, or refused/],
  [fact('cloneType', 'type-version', 'other'), /^answer "other" is not one of: source: .*; copy: /],
];
for (const [wrong, problem] of problems)
  test(`${wrong.question} of ${wrong.operation} is ${wrong.answer}: that is a mistake`, () =>
    assert.match(factProblem(wrong) ?? '', problem));
