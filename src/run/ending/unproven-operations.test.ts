import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallableId } from '../../service/index.ts';
import type { Failure, Unaccepted, Verdict } from '../../verdict/index.ts';
import { unjudgedLines, unprovenLine, unprovenOperations, verdictOfRun } from './unproven-operations.ts';

const avatar: Unaccepted = {
  operation: 'saveAvatar',
  why: 'it refuses the avatar that the suite makes up (422)',
  key: 'AVATAR_ITEM_IDS',
  cure: 'set AVATAR_ITEM_IDS, or survey the environment',
};
const clone: Unaccepted = {
  operation: 'cloneType',
  why: 'it was done before (409)',
  cure: 'survey the environment',
  excuse: 'done before',
};

const failure = (verdict: Verdict, more: Partial<Failure>): Failure => ({
  verdict,
  category: verdict,
  reason: '',
  ...more,
});
const refused = (unaccepted: Unaccepted, verdict: Verdict = 'skipped') => ({
  failures: [failure(verdict, { unaccepted })],
});
const failed = (operation: CallableId) => ({ failures: [failure('failed', { call: { operation, origin: '' } })] });
const accepted = (...acceptedOperations: CallableId[]) => ({ acceptedOperations });

type Ended = Omit<Parameters<typeof unprovenOperations>[0][number], 'environment'>;
const line = 'unproven in this run, because never accepted: add or update avatar (AVATAR_ITEM_IDS)';

const rows: readonly (readonly [
  what: string,
  results: readonly Ended[],
  listed: string | undefined,
  verdict: Verdict,
])[] = [
  ['it is refused, and nothing else says anything of it', [refused(avatar), accepted('block')], line, 'unknown'],
  ['it is refused twice', [refused(avatar), refused(avatar)], line, 'unknown'],
  ['another scenario had it accepted', [refused(avatar), accepted('saveAvatar')], undefined, 'passed'],
  ['another scenario failed for it', [refused(avatar), failed('saveAvatar')], undefined, 'passed'],
  ['another operation failed', [refused(avatar), failed('block')], line, 'unknown'],
  ['a scenario could not be judged for it, and says so', [refused(avatar, 'unknown')], line, 'passed'],
  [
    'it was done before',
    [refused(clone)],
    'unproven in this run, because never accepted: clone type (done before)',
    'passed',
  ],
  [
    'it was done before, and was refused in another way elsewhere',
    [refused({ ...clone, excuse: undefined } as unknown as Unaccepted), refused(clone)],
    'unproven in this run, because never accepted: clone type (done before)',
    'passed',
  ],
  [
    'the team says that it may be',
    [refused({ ...avatar, excuse: 'MAY_BE_UNPROVEN' })],
    'unproven in this run, because never accepted: add or update avatar (MAY_BE_UNPROVEN)',
    'passed',
  ],
];

for (const [what, results, listed, verdict] of rows)
  test(`of an operation that was never accepted, ${what}: ${verdict}`, () => {
    const found = unprovenOperations(results.map((each) => ({ ...each, environment: 'staging' })));
    assert.equal(unprovenLine(found), listed);
    assert.equal(verdictOfRun(['passed', 'skipped'], found), verdict);
    assert.equal(verdictOfRun(['passed', 'failed'], found), 'failed');
    assert.equal(unjudgedLines(found).length, verdict === 'unknown' ? 1 : 0);
  });

test('the line says what is refused, what would help, and how a team says that nothing will', () => {
  const found = unprovenOperations([{ ...refused(avatar), environment: 'staging' }]);
  assert.deepEqual(unjudgedLines(found), [
    "could not judge add or update avatar: it refuses the avatar that the suite makes up (422); set AVATAR_ITEM_IDS, or survey the environment. If that doesn't help, the operation is broken (MAY_BE_UNPROVEN=saveAvatar accepts runs that don't judge it)",
  ]);
});

test('environments are judged apart', () => {
  const found = unprovenOperations([
    { ...refused(avatar), environment: 'staging' },
    { ...refused(avatar), environment: 'prod' },
    { ...accepted('saveAvatar'), environment: 'prod' },
    { ...refused(clone), environment: 'prod' },
  ]);
  assert.equal(
    unprovenLine(found),
    'unproven in this run, because never accepted: staging: add or update avatar (AVATAR_ITEM_IDS), prod: clone type (done before)',
  );
});
