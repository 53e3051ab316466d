import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Fault } from '../../../reference-service/index.ts';
import { serviceReadings } from '../../../reference-service/readings/index.ts';
import { Refusal } from '../../../reference-service/refusal.ts';
import type { Environment } from '../../environment/index.ts';
import { projectRoot } from '../../environment/project-root.ts';
import { readJournals, sweep, usersOf, withUsers } from '../../safety/index.ts';
import { otherHolder } from '../../safety/lock/users-lock.ts';
import { plainEnvironment, startChild } from '../../testing/programs/child.ts';
import type { KilledRuns, KillStep } from '../../testing/programs/run-to-a-step.ts';
import { usersToKill } from '../../testing/users-to-kill.ts';

type Change = Omit<KilledRuns, 'stops'>;

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

/** The number of runs that are killed at each step. */
const KILLS = Number(process.env.SEXTANT_KILLS ?? 20);
/** The environments of the runs that are killed at a step. Each has its own users. */
const namesOf = (step: KillStep) => Array.from({ length: KILLS }, (_, index) => `step-${steps.indexOf(step)}-${index}`);
const { folder, service, database, environments, insert, muchLater, snapshot } = await usersToKill(
  steps.flatMap(namesOf),
);
const counts = { kills: 0, undone: 0 };

/**
 * Runs a scenario for the users of all these steps at once, in one process, because the start of a process costs more than its runs. When each run
 * has reached its step, kills the process.
 */
async function killAt(run: Change, at: readonly KillStep[], before = () => {}): Promise<void> {
  const program = join(projectRoot, 'src', 'testing', 'programs', 'run-to-a-step.ts');
  const stops = at.flatMap((step) => namesOf(step).map((name) => ({ name, step })));
  const child = startChild(process.execPath, [program, JSON.stringify({ ...run, stops } satisfies KilledRuns)], {
    env: { NODE_COMPILE_CACHE: join(folder, 'compiled'), ...plainEnvironment(), SEXTANT_ENVIRONMENTS: folder },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const [first] = await Promise.race([once(child, 'message'), exited]);
  assert.equal(first, 'there', `${at.join(', ')}: the process ended before`);
  before();
  child.kill('SIGKILL');
  await exited;
  counts.kills += stops.length;
}

const ofStep = (step: KillStep) => environments.filter(({ name }) => namesOf(step).includes(name));

/** All rows of the service as texts. */
const rowsNow = () => snapshot().flatMap((table, index) => table.map((row) => `${index} ${JSON.stringify(row)}`));

/** Returns whether a row names one of the users of these environments. */
const isOf = (...those: readonly Environment[]) => {
  const ids = those.flatMap(({ caller, friend }) => [`${caller.userId}"`, `${friend.userId}"`]);
  return (row: string) => ids.some((id) => row.includes(id));
};

/** The number of users of a step whose data in the service differs. */
function changed(before: readonly string[], now: readonly string[], step: KillStep): number {
  const of = (rows: readonly string[], one: Environment) => rows.filter(isOf(one)).join('\n');
  return ofStep(step).filter((each) => of(now, each) !== of(before, each)).length;
}

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

interface Kind extends Change {
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

/** Kills runs at all these steps, and undoes what is left. Returns the state of the service before, after the kill and after the undo. */
async function killAndUndo({ again, ...of }: Kind, at: readonly KillStep[]) {
  service.faults.set(...(again ?? []));
  if (of.change === 'unblock')
    for (const { caller, friend } of environments) insert('blocks', caller.userId, `${friend.userId}`, '2026-01-02');
  const before = rowsNow();
  await killAt(of, at);
  const killed = rowsNow();
  const undoAll = () =>
    Promise.all(environments.map(async (environment) => [environment.name, await sweep(environment)] as const));
  const undone = new Map(await muchLater(undoAll));
  const after = rowsNow();
  if (of.change === 'unblock') database.exec("DELETE FROM blocks WHERE blocked NOT LIKE '%old-foe'");
  return { before, killed, undone, after };
}

for (const [kind, row] of Object.entries(kinds)) {
  const at = steps.filter((each) => !row.again || /undid|undo is noted/.test(each));
  let playing: ReturnType<typeof killAndUndo> | undefined;
  const played = () => {
    playing ??= killAndUndo(row, at);
    return playing;
  };
  for (const step of at)
    test(`${kind}, killed ${KILLS} times: ${step}`, async () => {
      const { before, killed, after, ...rest } = await played();
      const undone = namesOf(step).flatMap((name) => rest.undone.get(name) ?? []);
      counts.undone += undone.length;
      const dirty = changed(before, killed, step);
      const journals = ofStep(step).flatMap((environment) => readJournals(environment)).length;
      const left = changed(before, after, step);
      table.push(`| ${kind} | ${step} | ${dirty} | ${undone.length} | ${KILLS - left} | ${journals} |`);
      assert.deepEqual([left, journals, undone.filter(({ done }) => !done)], [0, 0, []]);
      // The other tests examine the users whose runs were killed at other steps.
      const isOfOthers = isOf(...environments.filter((each) => !ofStep(step).includes(each)));
      const own = (rows: readonly string[]) => rows.filter((row) => !isOfOthers(row));
      assert.deepEqual(own(after), own(before));
      // The suite sends no change before its record is on disk, so a kill before that leaves nothing.
      if (/before/.test(step) && /record/.test(step)) assert.equal(dirty, 0);
      if (step === 'the service made the change, its response is unread') assert.equal(dirty, KILLS);
    });
}

test('a job that is cancelled, whose state folder is restored on another host, waits there for nobody, and is undone', async (t) => {
  const { SEXTANT_STATE: here = '' } = process.env;
  const restored = join(folder, 'restored');
  t.after(() => Object.assign(process.env, { SEXTANT_STATE: here }));
  const before = rowsNow();
  const step = 'the service made the change, its response is unread';
  const those = ofStep(step);
  await killAt(block, [step], () => {
    // A CI job that is cancelled saves its state folder while its run still holds the locks of its users, as this copy does.
    for (const environment of those) assert.ok(otherHolder(usersOf(environment)));
    cpSync(here, restored, { recursive: true });
  });
  assert.equal(changed(before, rowsNow(), step), KILLS);
  const locks = join(restored, 'locks');
  for (const note of those.map((environment) => `${usersOf(environment)}.json`)) {
    assert.ok(existsSync(join(locks, note)), note);
    writeFileSync(
      join(locks, note),
      JSON.stringify({ pid: process.pid, command: 'sextant check', host: 'another-host' }),
    );
  }
  process.env.SEXTANT_STATE = restored;
  for (const environment of those) await muchLater(() => withUsers(environment, { say: assert.fail }, async () => {}));
  assert.deepEqual([rowsNow(), those.flatMap((environment) => readJournals(environment))], [before, []]);
  rmSync(join(here, 'journal'), { recursive: true });
});
