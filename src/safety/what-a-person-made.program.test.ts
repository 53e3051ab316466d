import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { type Fault, seeded } from '../../reference-service/index.ts';
import { serviceReadings } from '../../reference-service/readings/index.ts';
import type { Environment } from '../environment/index.ts';
import { questions } from '../questions/index.ts';
import { allScenarios, holdsFacts } from '../run/index.ts';
import { readTags, World } from '../scenario/index.ts';
import {
  type AreaId,
  areaIds,
  type CallableId,
  callableIds,
  type Operation,
  operation,
  operationIds,
} from '../service/index.ts';
import { ownFolder } from '../testing/own-folder.ts';
import { safetyBench } from '../testing/safety-bench.ts';
import { silent } from '../verdict/index.ts';
import { type UsersRun, withUsers } from './users-run.ts';

const data = join(ownFolder(), 'state.db');
const { own, pending, runAs, service } = await safetyBench({ data });
const database = new DatabaseSync(data);
// No test looks at the file after a power cut, so no change is flushed to the disk.
database.exec('PRAGMA synchronous = OFF');
after(() => database.close());

const { facts, ...factless } = own;
/** An environment without facts, so that a run asks its questions itself, and without further users. */
const environment: Environment = {
  ...factless,
  data: { ...own.data, otherUserIds: [] },
  consistencyTimeoutMs: 100,
  requestBudget: 20,
};
const [caller, friend, fan] = [seeded.caller.userId, seeded.friend.userId, 'a-fan'];

/** A fault: repeating a change undoes it. */
function toggling(operation: 'block' | 'love', rows: string, values: (userId: string, args: never) => string[]): Fault {
  const undo = database.prepare(`DELETE FROM ${rows}`);
  const handle: NonNullable<Fault['handle']> = (original) => (visit) =>
    undo.run(...values(visit.userId, visit.args as never)).changes > 0 ? { status: 200, body: {} } : original(visit);
  return { name: `${operation} toggles`, operation, handle };
}

/** Three services, named by their response to a change that is made already, each with the faults that produce this response. */
const services: Readonly<Record<string, readonly Fault[]>> = {
  accepts: [],
  refuses: serviceReadings.changeAgain.refused.changes(''),
  toggles: [
    toggling('block', 'blocks WHERE blocker = ? AND blocked = ?', (id, args: { friendId: string }) => [
      id,
      args.friendId,
    ]),
    toggling('love', 'loves WHERE userId = ? AND storyId = ?', (id, args: { storyId: string }) => [id, args.storyId]),
  ],
};

/**
 * Sets up the changes of a person: blocks and profiles of both users. Includes the caller's love only if the service refuses a second love, because
 * otherwise a run can't know of it.
 */
function prepare(service: string): void {
  for (const table of ['blocks', 'loves', 'profiles']) database.exec(`DELETE FROM ${table}`);
  const insert = (table: string, ...values: readonly string[]) =>
    database.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join()})`).run(...values);
  for (const [user, other] of [[caller, friend] as const, [friend, caller] as const]) {
    insert('blocks', user, other, '2026-01-01');
    insert('profiles', user, `{"name":"${user}","status":"sailing","url":"https://a.test/1.png","gender":2}`);
  }
  for (const user of service === 'refuses' ? [fan, caller] : [fan]) insert('loves', user, seeded.story);
}

/** The state without the times of blocks, because a re-created block has a new time. */
const state = () =>
  ['blocker, blocked FROM blocks', '* FROM loves', '* FROM profiles'].map((from) =>
    database.prepare(`SELECT ${from} ORDER BY 1, 2`).all(),
  );

/** Does `all` as one run. Returns the name of each piece of work that changed a person's blocks, loves or profiles. */
async function lostBy(
  kind: string,
  all: readonly (readonly [name: string, work: (users: UsersRun) => Promise<unknown>])[],
) {
  const lost: string[] = [];
  assert.ok(all.length > 0);
  service.faults.set(...(services[kind] ?? []));
  await withUsers(environment, { say: assert.fail, isReported: true }, async (users) => {
    for (const [name, work] of all) {
      prepare(kind);
      const before = JSON.stringify([state(), []]);
      await work(users);
      const left = JSON.stringify([state(), pending()]);
      if (left !== before) lost.push(`${name}: ${left}`);
    }
  });
  return lost;
}

/** The areas of `block` and `love`: services respond differently if one of these is repeated. */
const repeating: readonly AreaId[] = ['friends', 'stories'];
const changing = areaIds.filter((area) =>
  operationIds.some((id) => operation(id).area === area && operation(id).effect !== 'read'),
);

for (const [kind, area] of Object.keys(services).flatMap((each) =>
  (each === 'accepts' ? changing : repeating).map((of) => [each, of] as const),
)) {
  test(`no scenario of ${area} takes what a person made, on a service that ${kind} repeats`, async () => {
    const chosen = (await allScenarios()).filter(({ title, details: { tag } }) => {
      const { area: of, effect } = readTags(title, tag);
      return effect !== 'read' && (of === area || (of === 'all' && area === 'friends'));
    });
    const all = chosen.map((scenario) => {
      const known = holdsFacts(scenario) && facts ? { ...environment, facts } : environment;
      return [scenario.title, (users: UsersRun) => runAs(users, known, scenario)] as const;
    });
    assert.deepEqual(await lostBy(kind, all), []);
  });

  test(`no question about ${area} that a run asks takes what a person made, on a service that ${kind} repeats`, async () => {
    const ofArea = callableIds.filter((id) => operationNamed(id).area === area);
    const names = ofArea.flatMap((id) =>
      questions
        .filter(({ effect = operationNamed(id).effect }) => effect !== 'read')
        .flatMap(({ of }) => of({ ...operationNamed(id), id }).map((name) => [id, name] as const)),
    );
    const all = names.map(([id, name]) => {
      const work = async () => {
        // A copy of the environment, because a process asks a question only once for each environment object.
        const world = new World({ environment: { ...environment }, observer: silent, seed: 1, runId: randomUUID() });
        await world.facts.asked(name, id);
        await world.close({ verify: 'nothing' });
      };
      return [`${id} ${name}`, work] as const;
    });
    assert.deepEqual(await lostBy(kind, all), []);
  });
}

function operationNamed(id: CallableId) {
  return id === 'readProfile' ? (environment.readProfile as Operation) : operation(id);
}
