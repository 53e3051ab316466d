import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reactionOf } from '../questions/asker/reaction.ts';
import type { CallableId } from '../service/index.ts';
import { fakeExchange, fakeText } from '../testing/contract/fake-response.ts';
import {
  type Finding,
  isDecided,
  unansweredLines,
  undecided,
  withoutEmptyAcceptance,
  withoutLateRefusals,
} from './findings.ts';
import { doubtOf, type FailedScenario } from './preflight.ts';

const base = { title: 's', verdict: 'failed', reason: 'because' } as const;
const operation = (...operations: CallableId[]): FailedScenario => ({ ...base, operations, isContent: false });
const content = (...operations: CallableId[]): FailedScenario => ({ ...base, operations, isContent: true });

const rows: [failed: FailedScenario, asked: CallableId, question: string, isDoubted: boolean][] = [
  [operation('block'), 'block', 'missing-header:Authorization', true],
  [operation('block'), 'unblock', 'repeat', true],
  [operation('block'), 'listBlocked', 'paging', true],
  [operation('block'), 'listBlocked', 'missing-header:Authorization', false],
  [operation('unblock'), 'block', 'repeat', false],
  [operation('readProfile'), 'updateProfile', 'includes-effect', true],
  [operation('readProfile'), 'updateProfile', 'success-status', false],
  [content('listBlocked'), 'listBlocked', 'paging', true],
  [content('listBlocked'), 'listBlocked', 'answer-shape', true],
  [content('listBlocked'), 'listBlocked', 'missing-header:Authorization', false],
  [content('listBlocked'), 'listBlockers', 'paging', false],
  [operation('block', 'unblock'), 'unblock', 'paging', true],
  [content('readProfile'), 'updateProfile', 'partial-update', true],
  [content('readProfile'), 'saveAvatar', 'avatar-shown', true],
  [operation(), 'love', 'repeat', false],
];

for (const [failed, asked, question, isDoubted] of rows) {
  const what = `${failed.isContent ? 'content of ' : ''}${failed.operations.join(', ') || 'nothing known'}`;
  test(`${what} failed: ${asked} ${question} is ${isDoubted ? 'undecided' : 'asked'}`, () =>
    assert.equal(
      doubtOf([failed], { operation: asked, question }),
      isDoubted ? 'scenario "s" failed (because)' : undefined,
    ));
}

const facts = (answers: Readonly<Record<string, string>>): Finding[] =>
  Object.entries(answers).map(([question, answer]) => {
    return { operation: 'report', question, answer, evidence: 'a valid request', askedAt: '2026-01-01' };
  });
const undecidedIn = (found: readonly Finding[]) =>
  found.flatMap((finding) => (isDecided(finding) ? [] : [finding.question]));

test('where nothing is ever refused, nothing counts as accepted', () => {
  const accepted = {
    'malformed-json': 'accepted',
    'missing-header:Authorization': 'accepted',
    'required-field:message': 'optional',
  };
  const found = withoutEmptyAcceptance(facts({ 'success-status': '200', ...accepted }));
  assert.deepEqual(undecidedIn(found), Object.keys(accepted));
});

test('one refusal shows that acceptance means something', () => {
  const mixed = facts({
    'malformed-json': 'refused with 400',
    'missing-header:Authorization': 'accepted',
    'required-field:message': 'optional',
  });
  assert.deepEqual(withoutEmptyAcceptance(mixed), mixed);
});

test('refusals don’t count once the valid request is refused too', () => {
  const accepted = { 'success-status': '201', 'malformed-json': 'accepted', 'answer-shape': '{reportId: string}' };
  const refused = {
    'unknown-field': 'refused with 401',
    'required-field:message': 'required, else 401',
    'token-user': 'tied',
    'allowed-values:gender': '0, 1; not 2',
    languages: 'en of 16 tried',
    'error-shape': 'application/json {error}',
  };
  const late = withoutLateRefusals(facts({ ...accepted, ...refused }), 'it was refused');
  assert.deepEqual(undecidedIn(late), Object.keys(refused));
});

test('a challenge of something in front of the service decides nothing, and a plain 403 does', () => {
  const after = (headers: Readonly<Record<string, string>>) =>
    reactionOf(fakeExchange({ response: fakeText(403, '', headers) }), undefined, []);
  assert.equal(after({ 'cf-mitigated': 'challenge' }).kind, 'unclear');
  assert.deepEqual(after({}), { kind: 'refused', status: 403 });
});

test('open questions that need one key are counted in one line; the others are named with what was tried', () => {
  const [first, second, third] = facts({ repeat: '', 'unknown-field': '', paging: '' }) as [Finding, Finding, Finding];
  const lines = unansweredLines([
    undecided(first, 'refused with 422', 'PROVISION_URL'),
    undecided(second, 'a valid request is refused in the same way, with 422', 'PROVISION_URL'),
    undecided(third, 'no pages'),
  ]);
  assert.deepEqual(lines, ['2 questions about report need PROVISION_URL', 'report paging: no pages']);
  const many = ['block', 'block', 'block', 'unblock', 'unblock'].map((operation) => ({
    ...third,
    operation,
    tried: 'why',
  }));
  assert.deepEqual(unansweredLines(many as Finding[]), ['5 questions about block and unblock: why']);
});
