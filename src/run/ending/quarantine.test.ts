import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsedJson } from '../../http/index.ts';
import { problemsOfList, quarantineOf } from './quarantine.ts';

const entry = { title: 'love', owner: 'ann', until: '2026-12-24', reason: 'STORY-1' };

const texts: [title: string, text: string, problems: string[]][] = [
  ['an entry', JSON.stringify([entry, { ...entry, environment: 'staging' }]), []],
  ['nothing in it', '[]', []],
  ['no JSON', '{', ['it must be a JSON list of entries']],
  ['no list', '{}', ['it must be a JSON list of entries']],
  ['no object', '[1]', ['entry 1: must be a record of title, owner, until, reason, environment']],
  [
    'everything wrong',
    JSON.stringify([entry, { title: 'x', ownr: 'ann', until: '2026-02-30', reason: '' }]),
    [
      'entry 2: "ownr" is not one of title, owner, until, reason, environment',
      'entry 2: owner is missing',
      'entry 2: until must be a day, e.g. 2027-01-31',
      'entry 2: reason must be a text',
    ],
  ],
];
for (const [title, text, problems] of texts)
  test(`a quarantine list with ${title}`, () => assert.deepEqual(problemsOfList(parsedJson(text)), problems));

const at = (text: string) => new Date(text).getTime();
const days: [now: string, title: string, environment: string, expected: boolean | undefined][] = [
  ['2026-12-24T23:59:59Z', 'love', 'qa', false],
  ['2026-12-25T00:00:00Z', 'love', 'qa', true],
  ['2026-12-01T00:00:00Z', 'block', 'qa', undefined],
];
for (const [now, title, environment, expected] of days)
  test(`${title} in ${environment} at ${now}: ${expected === undefined ? 'free' : expected ? 'over' : 'quarantined'}`, () =>
    assert.equal(quarantineOf([entry], environment, title, at(now))?.isOver, expected));

test('an entry may be for one environment; of several the last day counts', () => {
  const now = at('2026-12-01T00:00:00Z');
  const own = { ...entry, environment: 'staging' };
  assert.equal(quarantineOf([own], 'qa', 'love', now), undefined);
  assert.equal(quarantineOf([own], 'staging', 'love', now)?.entry, own);
  assert.equal(quarantineOf([{ ...entry, until: '2026-11-01' }, own], 'staging', 'love', now)?.entry, own);
});
