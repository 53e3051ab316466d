import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Fact, Facts, factsText, isAmong, parseFacts, surveyCommand } from './index.ts';

const fact = (operation: string, question: string, answer = 'accepted'): Fact => {
  return { question, operation, answer, evidence: 'a valid request twice: 200', askedAt: '2026-11-27' };
};
const anything = () => undefined;

test('a file is sorted, whatever order it was written in, and the same facts make the same text', () => {
  const [one, other, third] = [fact('report', 'repeat'), fact('love', 'unknown-story'), fact('love', 'repeat')];
  const text = factsText(new Facts([one, other, third]));
  assert.equal(text, factsText(new Facts([third, other, one])));
  const found = parseFacts(text, anything);
  assert.ok(found instanceof Facts);
  assert.deepEqual([...found], [third, other, one]);
  assert.equal(factsText(found), text);
});

test('one answer that changes is one line of a diff', () => {
  const facts = new Facts([fact('report', 'repeat'), fact('love', 'repeat')]);
  const [before, after] = [facts, facts.with([fact('love', 'repeat', 'refused')])].map((each) =>
    factsText(each).split('\n'),
  );
  assert.deepEqual(
    after?.filter((line, index) => line !== before?.[index]),
    [
      '  {"operation": "love", "question": "repeat", "answer": "refused", "evidence": "a valid request twice: 200", "askedAt": "2026-11-27"},',
    ],
  );
});

test('a fact that a person wrote is found by its question and operation', () => {
  const text =
    '{"facts": [{"question": "repeat", "operation": "report", "answer": "refused", "evidence": "written by hand", "askedAt": "2026-11-27"}]}';
  const found = parseFacts(text, anything);
  assert.ok(found instanceof Facts);
  assert.equal(found.of('repeat', 'report')?.answer, 'refused');
  assert.equal(found.of('repeat', 'love'), undefined);
});

const complete = JSON.stringify(fact('love', 'repeat'));
const damaged: [what: string, text: string, problems: RegExp[]][] = [
  ['no JSON', '{"facts": [', [/^facts are not JSON.*restore the file from the repository/]],
  ['nothing', '', [/^facts are not JSON/]],
  ['no facts', '{}', [/^facts are missing: expected/]],
  ['a list', '[]', [/^facts are missing/]],
  ['something else beside', `{"facts": [${complete}], "name": 1}`, [/^name is not part of a file of facts/]],
  ['null for a fact', '{"facts": [null]}', [/^fact 1 must be a record of question, operation, answer/]],
  [
    'several mistakes, all at once',
    `{"facts": [${complete}, {"question": "repeat", "operation": "love", "answer": "", "evidence": 3, "askedAt": "yesterday", "by": "me"}]}`,
    [
      /^fact 2, repeat of love "by" is not one of question, operation, answer, evidence, askedAt$/,
      /^fact 2, repeat of love answer must be a text$/,
      /^fact 2, repeat of love evidence must be a text$/,
      /^fact 2, repeat of love askedAt must be a day, e\.g\. 2027-01-31$/,
    ],
  ],
  [
    'a day that does not exist',
    `{"facts": [${complete.replace('2026-11-27', '2026-02-30')}]}`,
    [/askedAt must be a day/],
  ],
  [
    'one field twice',
    `{"facts": [\n${complete.replace('"answer"', '"question": "x",\n"answer"')}]}`,
    [/^line 2 has "question" twice in one record; keep one of them$/],
  ],
  ['all facts twice', '{"facts": [], "facts": [{}]}', [/^line 1 has "facts" twice/]],
  [
    'the line break of a header',
    `{"facts": [${complete.replace('repeat', 'missing-header:mm-user-id\\r\\nx')}]}`,
    [/^fact 1, missing-header:mm-user-id\?\?x of love question contains a line break, another control character/],
  ],
  [
    'half a character',
    `{"facts": [${complete.replace('repeat', 'repeat\\ud800')}]}`,
    [/^fact 1, repeat\ufffd of love question contains .* or half a character; write it again$/],
  ],
  [
    'one question twice',
    `{"facts": [${complete}, ${complete}]}`,
    [/^fact 2, repeat of love answers the same question as fact 1/],
  ],
];
for (const [what, text, problems] of damaged)
  test(`a file with ${what} is told in full`, () => {
    const found = parseFacts(text, anything);
    assert.ok(!(found instanceof Facts));
    assert.equal(found.length, problems.length, JSON.stringify(found));
    for (const [index, problem] of problems.entries())
      assert.match(`${found[index]?.place} ${found[index]?.text}`, problem);
  });

test('what is asked nowhere is a problem of its fact', () => {
  const found = parseFacts(`{"facts": [${complete}]}`, ({ question }) => `question ${question} is unknown`);
  assert.deepEqual(found, [{ place: 'fact 1, repeat of love', text: 'question repeat is unknown' }]);
});

const asked = { operation: 'report', question: 'missing-header:mm-user-id' };
const patterns: [only: string, isIt: boolean][] = [
  ['report missing-header:mm-user-id', true],
  ['report', true],
  ['missing-header', true],
  ['missing-*', true],
  ['report missing-*', true],
  ['love, report', true],
  ['love', false],
  ['repor', false],
  ['love missing-*', false],
  ['', false],
];
for (const [only, isIt] of patterns)
  test(`--only '${only}' ${isIt ? 'chooses' : 'leaves out'} a header of report`, () =>
    assert.equal(isAmong(only, asked), isIt));

test('a command names its questions, or many of them by their operations', () => {
  const one = [{ operation: 'report', question: 'repeat' }];
  assert.equal(
    surveyCommand('qa', one, { update: true }),
    "npx sextant survey --env qa --update --only 'report repeat'",
  );
  const many = ['a', 'b', 'c', 'd', 'e'].map((question) => ({ operation: 'report', question }));
  assert.equal(surveyCommand('qa', many), "npx sextant survey --env qa --only 'report'");
  const exact = /^npx sextant survey --env qa --update --only 'report a,report b,report c,report d,report e'$/;
  assert.match(surveyCommand('qa', many, { update: true }), exact);
  for (const each of one) assert.ok(isAmong('report repeat', each));
});
