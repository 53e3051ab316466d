import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownFolder } from '../../testing/servers/own-service.ts';
import { environmentText, loadText } from '../../testing/test-environment.ts';
import { type Asked, ConfigurationError, readingOf } from '../index.ts';

const surveys = ownFolder();

function load(keys: Readonly<Record<string, string>>, facts: readonly object[] = []) {
  writeFileSync(join(surveys, 'known.json'), JSON.stringify({ environment: 'known', facts }));
  const text = environmentText('http://127.0.0.1:9', keys);
  return loadText('known', text, { SEXTANT_SURVEYS: surveys });
}

const fact = (operation: string, question: string, answer: string) => ({ operation, question, answer });
const clientId = 'mm-client-id';

const rows: [name: string, keys: Record<string, string>, facts: object[], asked: Asked, found: string | undefined][] = [
  ['nothing is known', {}, [], { question: 'typeVersion' }, undefined],
  ['a key', { TYPE_VERSION_MEANS: 'copy' }, [], { question: 'typeVersion' }, 'copy: TYPE_VERSION_MEANS'],
  [
    'a fact, of its operation alone',
    {},
    [fact('block', 'unknown-user', 'refused with 404')],
    { question: 'unknownUser', operation: 'block' },
    'refused: its survey',
  ],
  [
    'another operation',
    {},
    [fact('block', 'wrong-header:mm-client-id', 'accepted')],
    { question: 'headerWrong', header: clientId, operation: 'love' },
    undefined,
  ],
  [
    'a fact about a header',
    {},
    [fact('love', 'missing-header:mm-client-id', 'refused with 400')],
    { question: 'headerMissing', header: clientId, operation: 'love' },
    'refused: its survey',
  ],
  [
    "a fact about another user's id",
    {},
    [fact('love', 'token-user', 'not tied')],
    { question: 'headerOfAnother', header: 'mm-user-id', operation: 'love' },
    'accepted: its survey',
  ],
  [
    'an undecided fact',
    {},
    [fact('evaluate', 'default-fallback', 'undecided')],
    { question: 'flagDefault', operation: 'evaluate' },
    undefined,
  ],
  [
    'what a team wrote down outweighs a survey',
    { UNKNOWN_USERS_ARE: 'accepted' },
    [fact('block', 'unknown-user', 'refused with 404')],
    { question: 'unknownUser', operation: 'block' },
    'accepted: UNKNOWN_USERS_ARE',
  ],
  [
    'a header that is on the list of those not checked',
    { HEADERS_NOT_CHECKED: 'mm-client-id:wrong, mm-user-id:another' },
    [],
    { question: 'headerWrong', header: clientId, operation: 'love' },
    'accepted: HEADERS_NOT_CHECKED',
  ],
  [
    'a header that one operation does not check',
    { HEADERS_NOT_CHECKED: 'mm-user-id:empty@evaluate' },
    [],
    { question: 'headerEmpty', header: 'mm-user-id', operation: 'evaluate' },
    'accepted: HEADERS_NOT_CHECKED',
  ],
  [
    'and the others do',
    { HEADERS_NOT_CHECKED: 'mm-user-id:empty@evaluate' },
    [],
    { question: 'headerEmpty', header: 'mm-user-id', operation: 'love' },
    'refused: HEADERS_NOT_CHECKED',
  ],
  [
    'a header that is not',
    { HEADERS_NOT_CHECKED: 'none' },
    [],
    { question: 'headerEmpty', header: clientId, operation: 'love' },
    'refused: HEADERS_NOT_CHECKED',
  ],
];

for (const [name, keys, facts, asked, expected] of rows)
  test(name, () => {
    const found = readingOf(load(keys, facts).readings ?? [], asked);
    assert.equal(found && `${found.reading}: ${found.source}`, expected);
  });

const mistakes: [keys: Record<string, string>, reported: RegExp][] = [
  [{ TYPE_VERSION_MEANS: 'original' }, /TYPE_VERSION_MEANS\s+"original" is not one of source, copy/],
  [{ HEADERS_NOT_CHECKED: 'authorization:missing' }, /"authorization:missing" is not a header \(mm-client-id/],
  [{ HEADERS_NOT_CHECKED: 'mm-client-id:wrong@nothing' }, /"mm-client-id:wrong@nothing" is not a header/],
  [{ HEADERS_NOT_CHECKED: 'mm-client-id' }, /"mm-client-id" is not a header/],
];

for (const [keys, reported] of mistakes)
  test(`a mistake: ${JSON.stringify(keys)}`, () => {
    assert.throws(
      () => load(keys),
      (error) => error instanceof ConfigurationError && reported.test(error.message),
    );
  });

test('a survey that is none is a problem of the environment', () => {
  writeFileSync(join(surveys, 'known.json'), '{"facts":[{}]}');
  const text = environmentText('http://127.0.0.1:9');
  assert.throws(
    () => loadText('known', text, { SEXTANT_SURVEYS: surveys }),
    /facts\s+are not in the format of `sextant survey`/,
  );
});
