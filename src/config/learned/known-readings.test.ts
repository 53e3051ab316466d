import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownFolder } from '../../testing/servers/own-service.ts';
import { environmentText, loadText } from '../../testing/test-environment.ts';
import { type Asked, readingOf } from '../index.ts';

const surveys = ownFolder();

function load(keys: Readonly<Record<string, string>>, facts: readonly object[] = []) {
  writeFileSync(join(surveys, 'known.json'), JSON.stringify({ environment: 'known', facts }));
  const text = environmentText('http://127.0.0.1:9', keys);
  return loadText('known', text, { SEXTANT_SURVEYS: surveys });
}

const fact = (operation: string, question: string, answer: string) => ({ operation, question, answer });
const unknownUser: Asked = { question: 'unknownUser', operation: 'block' };
const refusedUser = fact('block', 'unknown-user', 'refused with 404');
const header = (question: 'headerWrong' | 'headerEmpty' | 'headerMissing' | 'headerOfAnother', of: 'client' | 'user') =>
  ({ question, header: `mm-${of}-id`, operation: 'love' }) as const;

function is(found: string | undefined, asked: Asked, keys: Record<string, string>, facts: object[] = []) {
  const reading = readingOf(load(keys, facts).readings ?? [], asked);
  assert.equal(reading && `${reading.reading}: ${reading.source}`, found);
}

test('nothing is known, or a key says it', () => {
  is(undefined, { question: 'typeVersion' }, {});
  is('copy: TYPE_VERSION_MEANS', { question: 'typeVersion' }, { TYPE_VERSION_MEANS: 'copy' });
});

test('what a team wrote down outweighs a survey', () => {
  is('accepted: UNKNOWN_USERS_ARE', unknownUser, { UNKNOWN_USERS_ARE: 'accepted' }, [refusedUser]);
});

const facts: [name: string, fact: object, asked: Asked, found: string | undefined][] = [
  ['of its operation alone', refusedUser, unknownUser, 'refused: its survey'],
  [
    'of another operation',
    fact('block', 'wrong-header:mm-client-id', 'accepted'),
    header('headerWrong', 'client'),
    undefined,
  ],
  [
    'about a header',
    fact('love', 'missing-header:mm-client-id', 'refused with 400'),
    header('headerMissing', 'client'),
    'refused: its survey',
  ],
  [
    "about another user's id",
    fact('love', 'token-user', 'not tied'),
    header('headerOfAnother', 'user'),
    'accepted: its survey',
  ],
  [
    'that is undecided',
    fact('evaluate', 'default-fallback', 'undecided'),
    { question: 'flagDefault', operation: 'evaluate' },
    undefined,
  ],
];
for (const [name, known, asked, found] of facts) test(`a fact ${name}`, () => is(found, asked, {}, [known]));

const lists: [HEADERS_NOT_CHECKED: string, asked: Asked, reading: string][] = [
  ['mm-client-id:wrong, mm-user-id:another', header('headerWrong', 'client'), 'accepted'],
  ['mm-user-id:empty@evaluate', { ...header('headerEmpty', 'user'), operation: 'evaluate' }, 'accepted'],
  ['mm-user-id:empty@evaluate', header('headerEmpty', 'user'), 'refused'],
  ['none', header('headerEmpty', 'client'), 'refused'],
];
for (const [HEADERS_NOT_CHECKED, asked, reading] of lists)
  test(`not checked: ${HEADERS_NOT_CHECKED}, asked of ${asked.operation}`, () =>
    is(`${reading}: HEADERS_NOT_CHECKED`, asked, { HEADERS_NOT_CHECKED }));

test('a survey that is none is a problem of the environment', () => {
  writeFileSync(join(surveys, 'known.json'), '{"facts":[{}]}');
  const text = environmentText('http://127.0.0.1:9');
  assert.throws(
    () => loadText('known', text, { SEXTANT_SURVEYS: surveys }),
    /facts\s+are not in the format of `sextant survey`/,
  );
});
