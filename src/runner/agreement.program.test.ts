import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Fault } from '../../reference-service/index.ts';
import { type Category, verdictOfCategory } from '../client/index.ts';
import { projectRoot } from '../config/project-root.ts';
import type { CallableId } from '../spec/index.ts';
import { lastingReason } from '../testing/lasting-reason.ts';
import { type InlineTest, runInline } from '../testing/programs/run-inline.ts';
import { answers } from '../testing/safety-bench.ts';
import { ownService } from '../testing/servers/own-service.ts';
import { environmentText, loadText, seededData } from '../testing/test-environment.ts';
import { runAll, type ScenarioResult, scenarios } from './index.ts';

const folder = join(projectRoot, 'tests', 'scenarios');

/** By the operation in whose answer it is seen; all at once, because each affects different scenarios. */
const faults: Partial<Record<CallableId, Fault>> = {
  listBlocked: answers('unblock', 200),
  love: answers('love', 500),
  reportOptions: answers('reportOptions', 200, []),
  cloneType: answers('cloneType', 403),
  saveAvatar: answers('saveAvatar', 429),
  evaluate: answers('evaluate', 200, { value: 'something else' }),
  readProfile: answers('readProfile', 401),
};

const service = await ownService();
service.faults.set(...Object.values(faults));
// Without a server for the storage area, and without the flag that one scenario needs.
const broken = environmentText(
  { ...service.addresses, storage: 'http://127.0.0.1:9' },
  { ...seededData, PROVISION_URL: service.provisionUrl, CONSISTENCY_TIMEOUT_MS: 100, FLAG_KEY: undefined },
);
/** The very same sources, with the folder's own way to the fixtures. */
const specs = Object.fromEntries(
  globSync('*.spec.ts', { cwd: folder }).map((file) => [
    file,
    readFileSync(join(folder, file), 'utf8').replaceAll('../../fixtures/index.ts', './sextant.ts'),
  ]),
);
// A second worker would load everything once more.
const run = await runInline({ specs, environments: { broken }, args: ['--workers=1'], keepsWorkers: true });
process.env.SEXTANT_OUTPUT = run.output;
const environment = loadText('broken', broken);
const inProcess = await runAll(await scenarios(), { environment, seed: randomUUID(), runId: randomUUID() });

test('both runners say the same of every scenario, verdict, grade and reason', () => {
  assert.ok(inProcess.length >= 15);
  const ofPlaywright = run.tests.map((each) => [each.title, saidOf(each)]);
  const ofProcess = inProcess.map((each) => [each.title, said(each)]);
  assert.deepEqual(Object.fromEntries(ofPlaywright), Object.fromEntries(ofProcess));
});

test('each fault is noticed, the address that is down and the data that lacks as well', () => {
  const failing = new Set(inProcess.map((result) => result.failing?.operation));
  for (const operation of Object.keys(faults)) assert.ok(failing.has(operation as CallableId), operation);
  const met = new Set(inProcess.map(({ verdict }) => verdict));
  assert.deepEqual([...met].sort(), ['failed', 'passed', 'refused', 'skipped', 'unknown', 'unreachable']);
});

/** The verdict, and the reason, which begins with its grade. */
function said({ verdict, reason = '' }: Pick<ScenarioResult, 'reason'> & { readonly verdict: string }): string {
  // Playwright Test tries a scenario although its address is known to be down.
  return `${verdict} ${lastingReason(reason)}`;
}

function saidOf(test: InlineTest): string {
  const [first = '', second = '', third = ''] = test.errors[0]?.split('\n') ?? [];
  const thrown = first.startsWith('Error: ') ? `${first.replace('Error: ', '')} — ${third}` : second.trim();
  return said({ verdict: verdictOf(test), reason: test.skipReason ?? thrown });
}

/** An error of the suite states its category. */
function verdictOf({ status, category }: InlineTest): string {
  if (status !== 'failed') return status ?? 'none';
  return category === undefined ? 'none' : verdictOfCategory(category as Category);
}
