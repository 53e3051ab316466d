import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { handle } from '../../../reference-service/faults/kind.ts';
import type { Fault } from '../../../reference-service/index.ts';
import { Refusal } from '../../../reference-service/refusal.ts';
import type { Environment } from '../../environment/index.ts';
import { runAll, type ScenarioResult, scenarios } from '../../run/index.ts';
import { ownFolder, writeFiles } from '../../testing/own-folder.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { embeddedEnvironment, newItems } from '../../testing/test-environment.ts';
import { withUsedItems } from '../run-files/output-folders.ts';
import { runLog } from '../run-files/run-log.ts';
import { claimItem, itemLines, noteItem, unusedItems } from './stored-items.ts';

const service = await ownService();
const { provisionUrl: _, ...shared } = embeddedEnvironment(service);

const deletions = (await scenarios()).filter(({ title }) => title.startsWith('delete'));
let runs = 0;

async function deleted(environment: Environment): Promise<Record<string, ScenarioResult>> {
  const runId = `run-${++runs}`;
  const results = await runAll(deletions, { environment, seed: runId, runId });
  return Object.fromEntries(results.map((result) => [result.title, result]));
}

function withItems(name: string, storedItemIds: readonly string[]): Environment {
  return { ...shared, name, data: { ...shared.data, storedItemIds, itemsInFile: 50 } };
}

function verdictIs(result: ScenarioResult | undefined, expected: ScenarioResult['verdict']): void {
  assert.equal(result?.verdict, expected, result?.reason ?? 'no reason');
}

test('an item that is gone is noted as used once the next one is deleted', async () => {
  const [real] = await newItems(service, 1);
  const environment = withItems('next', ['gone-1', real as string]);
  const { 'delete by id': one, 'delete one of two items, then the other': two } = await deleted(environment);
  verdictIs(one, 'passed');
  assert.deepEqual(unusedItems({ name: 'next' }, environment.data.storedItemIds), []);
  const used = 'next: 2 stored items used up, 0 of 2 ids in STORED_ITEM_IDS left; give fresh ids, or set PROVISION_URL';
  assert.deepEqual(itemLines(environment, `run-${runs}`), [used]);
  const more = withItems('next', ['gone-1', real as string, 'item-28']);
  assert.match(
    itemLines(more, `run-${runs}`).join(),
    /, 1 of 3 ids in STORED_ITEM_IDS left; the next run tries item-28$/,
  );
  verdictIs(two, 'skipped');
});

test('where items look gone and none was ever deleted, two are risked in a run, others in the next, and none counts as used', async () => {
  const [real] = await newItems(service, 1);
  const environment = withItems('gone', ['gone-1', 'gone-2', real as string]);
  const first = (await deleted(environment))['delete by id'];
  verdictIs(first, 'unknown');
  const sentence = "gone-1 and gone-2 can't be deleted (404): they are gone already, or deletion is broken.";
  assert.equal(first?.reason, `the suite could not judge: ${sentence} The next run tries ${real}.`);
  const allowed = { ...withItems('allowed', ['gone-3', 'gone-4']), mayBeUnproven: new Set(['deleteItem'] as const) };
  const { verdict, unproven, reason = '' } = (await deleted(allowed))['delete by id'] as ScenarioResult;
  assert.deepEqual([verdict, unproven], ['skipped', true]);
  assert.match(reason, /or deletion is broken\. Give fresh ids in STORED_ITEM_IDS, or set PROVISION_URL\.$/);
  verdictIs((await deleted(environment))['delete by id'], 'passed');
  assert.deepEqual(unusedItems({ name: 'gone' }, environment.data.storedItemIds), ['gone-1', 'gone-2']);
});

test('a deletion that takes the next item too is told from an item that was gone before', async () => {
  const takesNext = (ids: readonly string[]): Fault => ({
    name: 'takes-the-next',
    operation: 'deleteItem',
    handle: handle<'deleteItem'>((original) => (visit) => {
      const reply = original(visit);
      const next = ids[ids.indexOf(visit.args.id) + 1];
      if (next !== undefined) visit.state.items.remove({ itemId: next });
      return reply;
    }),
  });
  const ids = await newItems(service, 8);
  service.faults.set(takesNext(ids));
  const { 'delete one of two items, then the other': two } = await deleted(withItems('takes-next', ids));
  verdictIs(two, 'failed');
  service.faults.set();
  const [first, third, fourth, fifth] = await newItems(service, 4);
  const lacking = withItems('one-gone', [first, 'gone', third, fourth, fifth] as string[]);
  const alone = deletions.filter(({ title }) => title.startsWith('delete one of two'));
  const [result] = await runAll(alone, { environment: lacking, seed: 'gone', runId: 'one-gone' });
  verdictIs(result, 'passed');
});

test('a scenario that lacks its second item gives the first one back', async () => {
  const [real] = await newItems(service, 1);
  const environment = withItems('back', [real as string]);
  const two = deletions.filter(({ title }) => title.startsWith('delete one of two'));
  const [result] = await runAll(two, { environment, seed: 'back', runId: 'back' });
  assert.match(result?.reason ?? '', /STORED_ITEM_IDS has 1 unused of 50 ids: give/);
  assert.deepEqual(unusedItems({ name: 'back' }, environment.data.storedItemIds), [real]);
});

const refusing = (status: number, isRefused: (id: string) => boolean): Fault => ({
  name: `refuses-with-${status}`,
  operation: 'deleteItem',
  handle: handle<'deleteItem'>((original) => (visit) => {
    if (isRefused(visit.args.id)) throw new Refusal(status, 'refused', 'refused');
    return original(visit);
  }),
});

const refusals: [title: string, fault: Fault, verdict: ScenarioResult['verdict']][] = [
  ['410 is gone', refusing(410, () => true), 'unknown'],
  ['what is refused just as what is invented may be gone', refusing(422, () => true), 'unknown'],
  ['a refusal that only real items get', refusing(422, (id) => !id.startsWith('sextant-')), 'failed'],
  ['a conflict that only real items get', refusing(409, (id) => !id.startsWith('sextant-')), 'failed'],
  ['a server error', refusing(500, () => true), 'failed'],
];

for (const [index, [title, fault, verdict]] of refusals.entries()) {
  test(`${title}: ${verdict}`, async () => {
    const environment = withItems(`refusal-${index}`, await newItems(service, 2));
    service.faults.set(fault);
    const result = (await deleted(environment))['delete by id'];
    verdictIs(result, verdict);
  });
}

test('with a provisioner, an item that can not be deleted is a failure', async () => {
  service.faults.set(refusing(404, () => true));
  const result = (await deleted(embeddedEnvironment(service)))['delete by id'];
  verdictIs(result, 'failed');
});

test('used ids are in one file, hashed; half a line is left out, and notes of version 0.1 are taken over once', () => {
  const state = ownFolder();
  const file = join(state, 'used-items.jsonl');
  const [first, second] = ['item-1', 'item-2'].map((id) => hash('sha256', id).slice(0, 24));
  writeFiles(state, {
    [`used-items/old/${first}`]: '',
    [`used-items/old/${second}.refused`]: '',
    'used-items.jsonl': '{"environment":"old","item',
  });
  withUsedItems(state, () => {
    const ids = ['item-1', 'item-2', 'item-3'];
    assert.deepEqual(unusedItems({ name: 'old' }, ids), ['item-2', 'item-3']);
    assert.ok(!existsSync(join(state, 'used-items')));
    assert.equal(claimItem({ name: 'old' }, ids, runLog('old', 'old', 'items-begin'))?.id, 'item-3');
    noteItem({ environment: { name: 'old' }, runId: 'run' }, { id: 'item-3', state: 'deleted' });
    const preview = (area: 'storage' | 'friends') =>
      unusedItems({ name: 'old', set: [area], addresses: withItems('old', ids).addresses }, ids);
    const left = [unusedItems({ name: 'old' }, ids), unusedItems({ name: 'new' }, ids)];
    assert.deepEqual([...left, preview('storage'), preview('friends')], [['item-2'], ids, ids, ['item-2']]);
    assert.doesNotMatch(readFileSync(file, 'utf8'), /item-\d/);
  });
});

test('a run without earlier ones to know of begins at any of many ids, and goes on in their order', () => {
  const ids = Array.from({ length: 1_000 }, (_, index) => `item-${index}`);
  const claimed = ['one', 'two', 'three'].map((name) => {
    const began = runLog<number>('begins', name, 'items-begin');
    return [1, 2].map(() => ids.indexOf(claimItem({ name }, ids, began)?.id ?? ''));
  });
  for (const [first = 0, second] of claimed) assert.equal(second, (first + 1) % ids.length);
  assert.ok(new Set(claimed.map(([first]) => first)).size > 1, `${claimed}`);
});
