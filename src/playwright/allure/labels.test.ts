import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnjudgedCall } from '../../call/index.ts';
import type { Exchange } from '../../http/index.ts';
import { outcomeOfVerdict } from '../../run/ending/index.ts';
import { ProvisionFailed, Skipped } from '../../scenario/index.ts';
import {
  type Category,
  type Claim,
  ExpectationError,
  NotTried,
  SpecMistake,
  type SuiteError,
  SuiteFault,
  type Verdict,
  verdicts,
} from '../../verdict/index.ts';
import { categories, labelsOf } from './labels.ts';

function filed(category: string, status: string): string | undefined {
  const labels = [{ name: 'category', value: category }];
  return categories.find(({ matchers }) => matchers({ status, labels }))?.id;
}

const request = { method: 'GET', url: 'http://127.0.0.1/', headers: {}, correlation: {} };
const exchange: Exchange = { operation: 'block', area: 'friends', startedAt: 0, durationMs: 1, phases: {}, request };
const claim: Claim = 'assumed: it works';
const broken = (verdict: ConstructorParameters<typeof ExpectationError>[1]['verdict'], because: Claim = claim) =>
  new ExpectationError(exchange, { verdict, claim: because, observed: '' });

const rows: [error: SuiteError, status: 'failed' | 'skipped', category: Category][] = [
  [broken('failed'), 'failed', 'failed'],
  [broken('failed', 'specified: the document describes it'), 'failed', 'off-contract'],
  [broken('unknown', 'specified: the document describes it'), 'failed', 'unknown'],
  [broken('drifted'), 'failed', 'drifted'],
  [broken('refused'), 'failed', 'refused'],
  [broken('unreachable'), 'failed', 'unreachable'],
  [broken('unknown'), 'failed', 'unknown'],
  [new NotTried({ verdict: 'refused', category: 'refused', reason: '401' }), 'failed', 'refused'],
  [new ProvisionFailed('no users'), 'failed', 'unknown'],
  [new UnjudgedCall('1 call'), 'failed', 'unjudged'],
  [new SuiteFault('wrong'), 'failed', 'suite-fault'],
  [new SpecMistake('it has no tags; name them'), 'failed', 'spec-mistake'],
  [new Skipped('its effect is irreversible', 'not-allowed'), 'skipped', 'not-allowed'],
  [new Skipped('needs FLAG_KEY'), 'skipped', 'no-data'],
];

for (const [error, status, category] of rows)
  test(`${error.name}: ${category}`, () => {
    assert.equal(error.category, category);
    assert.equal(filed(error.category, status), category);
    assert.equal(filed(error.category, 'passed'), undefined);
  });

test('every verdict that is red in the report has a category there', () => {
  for (const verdict of Object.keys(verdicts) as Verdict[])
    assert.equal(
      filed(verdict, 'failed'),
      ['failed', 'unknown'].includes(outcomeOfVerdict(verdict)) ? verdict : undefined,
    );
});

test('a test is labelled with what a report groups and filters by', () => {
  const shown = (tags: string[], folder: string) =>
    labelsOf('love, then unlove', tags, 'staging', folder).map(({ name, value }) => `${name}=${value}`);
  const common = ['epic=Stories', 'feature=Authentication', 'story=love, then unlove', 'severity=critical'];
  const found = shown(['@stories', '@reversible'], 'auth');
  assert.deepEqual(found, ['environment=staging', 'area=stories', 'effect=reversible', ...common]);
  const [feature, , severity] = shown(['@frends'], 'own').slice(-3);
  assert.deepEqual([feature, severity], ['feature=own', 'severity=normal']);
});
