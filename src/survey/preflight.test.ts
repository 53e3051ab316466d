import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallableId } from '../spec/index.ts';
import { doubtOf, type FailedScenario } from './preflight.ts';

const base = { title: 's', verdict: 'failed', reason: 'because' } as const;
const operation = (id: CallableId): FailedScenario => ({ ...base, scope: 'operation', operation: id });
const content = (id: CallableId): FailedScenario => ({ ...base, scope: 'content', operation: id });

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
  [{ ...base, scope: 'area', area: 'storage' }, 'deleteItem', 'repeat', true],
  [{ ...base, scope: 'area', area: 'friends' }, 'love', 'repeat', false],
  [{ ...base, scope: 'none' }, 'love', 'repeat', false],
];

for (const [failed, asked, question, isDoubted] of rows) {
  const what = 'operation' in failed ? failed.operation : 'area' in failed ? failed.area : '';
  test(`${failed.scope} ${what} failed: ${asked} ${question} is ${isDoubted ? 'undecided' : 'asked'}`, () =>
    assert.equal(
      doubtOf([failed], { operation: asked, question }),
      isDoubted ? 'scenario "s" failed (because)' : undefined,
    ));
}
