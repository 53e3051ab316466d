import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, test } from 'node:test';
import { handle } from '../../reference-service/faults/kind.ts';
import { type Fault, seeded, startService } from '../../reference-service/index.ts';
import { Refusal } from '../../reference-service/refusal.ts';
import type { Environment } from '../config/index.ts';
import { runAll, type ScenarioResult, scenarios } from '../runner/index.ts';
import { embeddedEnvironment } from '../testing/test-environment.ts';
import { unusedItems } from './stored-items.ts';

process.env.SEXTANT_OUTPUT = mkdtempSync(join(tmpdir(), 'sextant-items-'));
const service = await startService({ port: 0, quiet: true });
const { provisionUrl, ...shared } = embeddedEnvironment(service);
after(async () => {
  await service.stop();
  rmSync(process.env.SEXTANT_OUTPUT ?? '', { recursive: true });
});
afterEach(() => service.faults.set());

const deletions = (await scenarios()).filter(({ title }) => title.startsWith('delete'));
let runs = 0;

async function deleted(environment: Environment): Promise<Record<string, ScenarioResult>> {
  const runId = `run-${++runs}`;
  const results = await runAll(deletions, { environment, seed: runId, runId });
  return Object.fromEntries(results.map((result) => [result.title, result]));
}

/** An environment with no memory of earlier runs. */
function withItems(name: string, storedItemIds: readonly string[]): Environment {
  return { ...shared, name, data: { ...shared.data, storedItemIds } };
}

async function realItems(count: number): Promise<string[]> {
  const response = await fetch(new URL('items', provisionUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId: seeded.caller.userId, count }),
  });
  return ((await response.json()) as { itemIds: string[] }).itemIds;
}

function verdictIs(result: ScenarioResult | undefined, expected: ScenarioResult['verdict']): void {
  assert.equal(result?.verdict, expected, result?.reason ?? 'no reason');
}

test('an item that is gone is noted as used, and the next one is deleted', async () => {
  const [real] = await realItems(1);
  const environment = withItems('next', ['gone-1', 'gone-2', real as string]);
  const { 'delete by id': one, 'delete one of two items, then the other': two } = await deleted(environment);
  verdictIs(one, 'passed');
  assert.deepEqual(unusedItems('next', environment.data.storedItemIds), []);
  verdictIs(two, 'skipped');
});

test('when every item is gone, deletion can not be judged, and fresh ids are asked for', async () => {
  const environment = withItems('gone', ['gone-1', 'gone-2']);
  const expected =
    /^the suite could not judge: all 2 ids of STORED_ITEM_IDS are used, 2 of them found gone \(gone-1: 404 Not Found\): give fresh ids, or set PROVISION_URL$/;
  const first = (await deleted(environment))['delete by id'];
  assert.equal(first?.verdict, 'unknown');
  assert.match(first?.reason ?? '', expected);
  const later = (await deleted(environment))['delete by id'];
  assert.equal(later?.verdict, 'unknown');
  assert.match(later?.reason ?? '', /all 2 ids of STORED_ITEM_IDS are used: give fresh ids/);
  assert.equal(later?.exchanges.length, 0);
});

test('a scenario that lacks its second item gives the first one back', async () => {
  const [real] = await realItems(1);
  const environment = withItems('back', [real as string]);
  const two = deletions.filter(({ title }) => title.startsWith('delete one of two'));
  const [result] = await runAll(two, { environment, seed: 'back', runId: 'back' });
  assert.match(result?.reason ?? '', /all 1 id of STORED_ITEM_IDS is used/);
  assert.deepEqual(unusedItems('back', environment.data.storedItemIds), [real]);
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
  ['the response to an id that never was an item is gone', refusing(422, () => true), 'unknown'],
  ['a refusal that only real items get', refusing(422, (id) => !id.startsWith('sextant-')), 'failed'],
  ['a conflict that only real items get', refusing(409, (id) => !id.startsWith('sextant-')), 'failed'],
  ['a server error', refusing(500, () => true), 'failed'],
];

for (const [index, [title, fault, verdict]] of refusals.entries()) {
  test(`${title}: ${verdict}`, async () => {
    const environment = withItems(`refusal-${index}`, await realItems(2));
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
