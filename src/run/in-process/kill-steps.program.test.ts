import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Fault } from '../../../reference-service/index.ts';
import { serviceReadings } from '../../../reference-service/readings/index.ts';
import { Refusal } from '../../../reference-service/refusal.ts';
import { projectRoot } from '../../environment/project-root.ts';
import { readJournals, sweep, usersOf, withUsers } from '../../safety/index.ts';
import { otherHolder } from '../../safety/lock/users-lock.ts';
import { plainEnvironment, startChild } from '../../testing/programs/child.ts';
import type { KilledRun, KillStep } from '../../testing/programs/run-to-a-step.ts';
import { usersToKill } from '../../testing/users-to-kill.ts';

const KILLS = Number(process.env.SEXTANT_KILLS ?? 20);
const names = Array.from({ length: KILLS }, (_, index) => `step-${index}`);
const { folder, service, database, environments, insert, muchLater, snapshot } = await usersToKill(names);
const counts = { kills: 0, undone: 0 };

/** Runs a scenario for all users at once. When each run has reached the step `run.step`, kills their process. */
async function killAt(run: Omit<KilledRun, 'names'>, before = () => {}): Promise<void> {
  const program = join(projectRoot, 'src', 'testing', 'programs', 'run-to-a-step.ts');
  const child = startChild(process.execPath, [program, JSON.stringify({ ...run, names })], {
    env: { NODE_COMPILE_CACHE: join(folder, 'compiled'), ...plainEnvironment(), SEXTANT_ENVIRONMENTS: folder },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const [first] = await Promise.race([once(child, 'message'), exited]);
  assert.equal(first, 'there', `${run.step}: the run ended before`);
  before();
  child.kill('SIGKILL');
  await exited;
  counts.kills += names.length;
}

/** The number of users whose data in the service differs from `before`. */
function changed(before: ReturnType<typeof snapshot>): number {
  const now = JSON.stringify(snapshot());
  if (now === JSON.stringify(before)) return 0;
  const of = (all: ReturnType<typeof snapshot>, userId: string) =>
    JSON.stringify(all.map((rows) => rows.filter((row) => JSON.stringify(row).includes(`"${userId}"`))));
  return environments.filter(({ caller: { userId } }) => of(snapshot(), userId) !== of(before, userId)).length;
}

const steps: readonly KillStep[] = [
  'before the record',
  'half of the record is on disk',
  'after the record, before the change is sent',
  'the service made the change, its response is unread',
  'the response is noted, before the next request',
  'the service undid it, its response is unread',
  'the undo is noted, before the next request',
  'after the next response, which is unread',
];

const love = { title: 'love, then unlove', change: 'love', undo: 'unlove', undoAfter: 0 } as const;
const block = { title: 'block, then list, then unblock', change: 'block', undo: 'unblock', undoAfter: 0 } as const;
// A person has blocked the friend before the scenario. The scenario undoes this block at its start, blocks the friend itself in its body,
// and re-creates the person's block at its end. So the re-creation is the second `block`.
const madeBefore = { ...block, change: 'unblock', undo: 'block', undoAfter: 1 } as const;
const notFound = {
  name: 'a second undo is not found',
  operation: 'unlove',
  handle: (original) => (visit) => {
    const { storyId } = visit.args as { readonly storyId: string };
    if (!visit.state.loves.find({ userId: visit.userId, storyId })) throw new Refusal(404);
    return original(visit);
  },
} satisfies Fault;

interface Kind extends Omit<KilledRun, 'names' | 'step'> {
  /**
   * Faults that the service shows only when a request is repeated. With these faults, the test kills the runs only at the steps of the
   * undo.
   */
  readonly again?: readonly Fault[];
}

const kinds: Readonly<Record<string, Kind>> = {
  'a block': block,
  'a love': love,
  'an update of the profile': {
    title: 'update profile',
    change: 'updateProfile',
    undo: 'updateProfile',
    undoAfter: 0,
  },
  'a block that a person made': madeBefore,
  'a love, whose second undo is not found': { ...love, again: [notFound] },
  'a block that a person made, and that is refused a second time': {
    ...madeBefore,
    again: serviceReadings.changeAgain.refused.changes(''),
  },
};

const table: string[] = [];
after(() =>
  process.stdout.write(
    `${['| change | killed | users with a change left | undone by the next run | as before | journals left |', '|---|---|--:|--:|--:|--:|', ...table].join('\n')}\n${counts.kills} kills, ${counts.undone} changes undone\n`,
  ),
);

for (const [kind, { again, ...of }] of Object.entries(kinds))
  for (const step of steps.filter((each) => !again || /undid|undo is noted/.test(each)))
    test(`${kind}, killed ${KILLS} times: ${step}`, async (t) => {
      service.faults.set(...(again ?? []));
      if (of.change === 'unblock') {
        for (const { caller, friend } of environments)
          insert('blocks', caller.userId, `${friend.userId}`, '2026-01-02');
        t.after(() => database.exec("DELETE FROM blocks WHERE blocked NOT LIKE '%old-foe'"));
      }
      const before = snapshot();
      await killAt({ ...of, step });
      const dirty = changed(before);
      const undoAll = () => Promise.all(environments.map((environment) => sweep(environment)));
      const undone = (await muchLater(undoAll)).flat();
      counts.undone += undone.length;
      const journals = environments.flatMap((environment) => readJournals(environment)).length;
      const left = changed(before);
      table.push(`| ${kind} | ${step} | ${dirty} | ${undone.length} | ${KILLS - left} | ${journals} |`);
      assert.deepEqual([left, journals, undone.filter(({ done }) => !done)], [0, 0, []]);
      assert.deepEqual(snapshot(), before);
      // The suite sends no change before its record is on disk, so a kill before that leaves nothing.
      if (/before/.test(step) && /record/.test(step)) assert.equal(dirty, 0);
      if (step === 'the service made the change, its response is unread') assert.equal(dirty, KILLS);
    });

test('a job that is cancelled, whose state folder is restored on another host, waits there for nobody, and is undone', async (t) => {
  const { SEXTANT_STATE: here = '' } = process.env;
  const restored = join(folder, 'restored');
  t.after(() => Object.assign(process.env, { SEXTANT_STATE: here }));
  const before = snapshot();
  const step = 'the service made the change, its response is unread';
  await killAt({ ...block, step }, () => {
    // A CI job that is cancelled saves its state folder while its run still holds the locks of its users, as this copy does.
    for (const environment of environments) assert.ok(otherHolder(usersOf(environment)));
    cpSync(here, restored, { recursive: true });
  });
  assert.equal(changed(before), KILLS);
  const locks = join(restored, 'locks');
  const notes = readdirSync(locks).filter((name) => name.endsWith('.json'));
  assert.equal(notes.length, KILLS);
  for (const note of notes)
    writeFileSync(
      join(locks, note),
      JSON.stringify({ pid: process.pid, command: 'sextant check', host: 'another-host' }),
    );
  process.env.SEXTANT_STATE = restored;
  for (const environment of environments)
    await muchLater(() => withUsers(environment, { say: assert.fail }, async () => {}));
  assert.deepEqual([snapshot(), environments.flatMap((environment) => readJournals(environment))], [before, []]);
  rmSync(join(here, 'journal'), { recursive: true });
});
