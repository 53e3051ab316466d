import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { type Fault, startService, variants } from '../../../reference-service/index.ts';
import type { Environment } from '../../environment/index.ts';
import { evidenceOf, isBadStatus, judgeRun, statusOf, unseen } from '../../monitor/status/status.ts';
import { isUnjudged } from '../../playwright/summary.ts';
import { exitCode, runAll, type Scenario, scenarios } from '../../run/index.ts';
import { type CallableId, callable, callableIds } from '../../service/index.ts';
import { ownFolder } from '../../testing/own-folder.ts';
import { embeddedEnvironment, newItems } from '../../testing/test-environment.ts';
import { checkEnvironments } from './check-environments.ts';
import { type Checked, checkDocument, reportOfChecks, verdictOf } from './outputs.ts';

process.env.SEXTANT_OUTPUT = ownFolder();

/**
 * The ways in which an operation is broken: it refuses every request with the status `400`, `409` and so on, or accepts every request
 * without any effect.
 */
const ways = ['400', '409', '422', '500', 'no effect'] as const;

/**
 * Expected results of two runs on the same data: the first letter is for the first run, the second letter for the second run. Each row is
 * an operation, with what Sextant knows about the service: nothing, its facts, or its facts with DRIFT=warn. Each column is one of `ways`.
 * The results are the same in CI.
 * `F` failed: check and test exit with 1, and the monitor sends a notice.
 * `U` unproven, and a key of the environment can help: check and test exit with 3, and list the operation with this key. The monitor shows
 * a scenario as unproven, and sends no notice.
 * `D` unproven, because the service says that an earlier run has already made the change: check and test exit with 0, and list the
 * operation. The monitor shows a scenario as unproven, and sends no notice.
 * `?` unknown, because a scenario could not be judged: check and test exit with 3, and the monitor sends no notice.
 * `-` not found: no scenario notices that the operation is broken, or DRIFT=warn makes it a warning. Check and test exit with 0.
 */
const table = `
block            | nothing     | FF | FF | FF | FF | FF
block            | facts, warn | FF | FF | FF | FF | FF
block            | facts       | FF | FF | FF | FF | FF
listBlocked      | nothing     | FF | FF | FF | FF | FF
listBlocked      | facts, warn | FF | FF | FF | FF | FF
listBlocked      | facts       | FF | FF | FF | FF | FF
listBlockers     | nothing     | FF | FF | FF | FF | FF
listBlockers     | facts, warn | FF | FF | FF | FF | FF
listBlockers     | facts       | FF | FF | FF | FF | FF
unblock          | nothing     | FF | FF | FF | FF | FF
unblock          | facts, warn | FF | FF | FF | FF | FF
unblock          | facts       | FF | FF | FF | FF | FF
love             | nothing     | FF | FF | FF | FF | --
love             | facts, warn | FF | FF | FF | FF | --
love             | facts       | FF | FF | FF | FF | FF
unlove           | nothing     | FF | FF | FF | FF | --
unlove           | facts, warn | FF | FF | FF | FF | --
unlove           | facts       | FF | FF | FF | FF | FF
reportOptions    | nothing     | FF | FF | FF | FF | FF
reportOptions    | facts, warn | FF | FF | FF | FF | FF
reportOptions    | facts       | FF | FF | FF | FF | FF
report           | nothing     | FF | FF | FF | FF | --
report           | facts, warn | FF | FF | FF | FF | --
report           | facts       | FF | FF | FF | FF | --
cloneType        | nothing     | UU | DD | UU | FF | --
cloneType        | facts, warn | FF | FF | FF | FF | --
cloneType        | facts       | FF | FF | FF | FF | --
saveAvatar       | nothing     | UU | UU | UU | FF | --
saveAvatar       | facts, warn | FF | FF | FF | FF | --
saveAvatar       | facts       | FF | FF | FF | FF | --
updateProfile    | nothing     | FF | FF | FF | FF | FF
updateProfile    | facts, warn | FF | FF | FF | FF | FF
updateProfile    | facts       | FF | FF | FF | FF | FF
getFriendProfile | nothing     | FF | FF | FF | FF | --
getFriendProfile | facts, warn | FF | FF | FF | FF | --
getFriendProfile | facts       | FF | FF | FF | FF | --
evaluate         | nothing     | FF | FF | FF | FF | FF
evaluate         | facts, warn | FF | FF | FF | FF | FF
evaluate         | facts       | FF | FF | FF | FF | FF
deleteItem       | nothing     | ?? | ?? | ?? | FF | --
deleteItem       | facts, warn | ?? | ?? | ?? | FF | --
deleteItem       | facts       | ?? | ?? | ?? | FF | --
readProfile      | nothing     | FF | FF | FF | FF | FF
readProfile      | facts, warn | FF | FF | FF | FF | FF
readProfile      | facts       | FF | FF | FF | FF | FF
`;

const known = ['nothing', 'facts', 'facts, warn'] as const;

const rows = table
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()) as [CallableId, (typeof known)[number], ...string[]]);

const stop: (() => Promise<void>)[] = [];
after(() => Promise.all(stop.map((each) => each())));

function broken(operation: CallableId, way: (typeof ways)[number]): Fault {
  const accepted = callable(operation).effect === 'read' ? { status: 200, body: [] } : { status: 200, body: {} };
  const reply = way === 'no effect' ? accepted : { status: Number(way), body: { error: 'broken' } };
  // Rows 11 and 12 of the specification have the same request, so the service handles both as `updateProfile`.
  const served = operation === 'getFriendProfile' ? 'updateProfile' : operation;
  return { name: 'broken', operation: served, arrive: () => () => reply };
}

/** An environment without a provisioner, and a new service with more stored items than two runs delete. */
async function environmentOf(fault: Fault, what: (typeof known)[number]): Promise<Environment> {
  const service = await startService({ port: 0, quiet: true });
  stop.push(() => service.stop());
  const storedItemIds = await newItems(service, 12);
  service.faults.set(fault);
  const { facts, observed: _, provisionUrl: __, ...embedded } = embeddedEnvironment(service);
  return {
    ...embedded,
    name: `unproven-${randomUUID()}`,
    consistencyTimeoutMs: 20,
    drift: what === 'facts, warn' ? 'warn' : 'fail',
    data: { ...embedded.data, storedItemIds },
    ...(what !== 'nothing' && facts ? { facts } : {}),
  };
}

/** The letter in `table` for the result of a run. Asserts that check, test and monitor agree on this result. */
function letterOf(checked: Checked, operation: CallableId): string {
  const check = exitCode(verdictOf(checked));
  const { summary } = reportOfChecks([checked]);
  // `test` must exit with the same code as `check`. The reporter of `test` computes its code in this way.
  assert.equal(summary.failed > 0 ? 1 : summary.unknown > 0 || isUnjudged(summary) ? 3 : 0, check);
  const look = { at: 0, steady: 0 };
  const rule = { downAfter: 1, upAfter: 1, notJudgedAfterMs: 900_000 };
  const seen = checked.results.map((result) => judgeRun(unseen, evidenceOf(result), look, rule));
  const notices = seen.filter(({ change }) => change && isBadStatus(change.to)).length;
  const listed = checkDocument(checked).unprovenOperations.find((each) => each.operation === operation);
  const isShown = seen.some(({ standing }) => statusOf(standing) === 'unproven');
  if (check === 1) {
    assert.ok(notices > 0 && !listed);
    return 'F';
  }
  assert.equal(notices, 0);
  if (!listed) return check === 0 ? '-' : '?';
  const { isReported } = checked.unproven.find((each) => each.operation === operation) ?? {};
  if (isReported) return '?';
  assert.ok(isShown);
  if (check === 3) assert.ok(listed.key);
  return check === 0 ? 'D' : 'U';
}

/** Runs all scenarios against a healthy service. Returns a function that finds the scenarios that send an operation. */
async function sending(): Promise<(operation: CallableId) => Scenario[]> {
  const all = await scenarios();
  const environment = await environmentOf({ name: 'none', operation: 'all' }, 'facts');
  const results = await runAll(all, { environment, seed: '1', runId: randomUUID() });
  const sent = new Map(results.map(({ title, exchanges }) => [title, exchanges.map((each) => each.operation)]));
  // A run whose scenarios are all unproven exits with 3, whatever the operation does. So always run the scenario "read-only round", too: it
  // proves other operations.
  const isRound = ({ title }: Scenario) => title === 'read-only round';
  return (operation) => all.filter((each) => isRound(each) || sent.get(each.title)?.includes(operation));
}

const chosenFor = await sending();

/** Runs the scenarios of an operation twice on the same data; returns the letters of both runs. */
async function twice(environment: Environment, operation: CallableId): Promise<string> {
  const run = { chosen: chosenFor(operation), limit: { stop: new AbortController().signal }, quarantine: [] };
  let letters = '';
  for (const seed of ['1', '2']) {
    const [checked] = await checkEnvironments([environment], { ...run, seed });
    letters += letterOf(checked as Checked, operation);
  }
  return letters;
}

for (const [operation, what, ...expected] of rows)
  test(`${operation}, broken from the start, ${what} known`, async () => {
    const cells: string[] = [];
    for (const way of ways) {
      cells.push(await twice(await environmentOf(broken(operation, way), what), operation));
    }
    assert.deepEqual(cells, expected);
  });

test('the table has every operation', () => assert.deepEqual([...new Set(rows.map(([id]) => id))], callableIds));

test('a second clone is done before, also where the service refuses everything alike', async () => {
  const alike = variants.find(({ name }) => name === 'errors-are-all-400-without-a-body') as Fault;
  const environment = await environmentOf(alike, 'nothing');
  assert.equal(await twice(environment, 'cloneType'), '-D');
});
