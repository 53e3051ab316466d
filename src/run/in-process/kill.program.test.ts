import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { projectRoot } from '../../environment/project-root.ts';
import { sweep } from '../../safety/index.ts';
import { plainEnvironment, startChild } from '../../testing/programs/child.ts';
import { seeded } from '../../testing/random-numbers.ts';
import { Arrivals } from '../../testing/servers/arrivals.ts';
import { usersToKill } from '../../testing/users-to-kill.ts';

const RUNS = Number(process.env.SEXTANT_KILLS ?? 50);
/**
 * A process runs in each of these at once, as users of its own and each at another scenario: most of a kill's cost is the start of what
 * is killed.
 */
const NAMES = Array.from({ length: 10 }, (_, index) => `kill-${index}`);

const { folder, environments, snapshot } = await usersToKill(NAMES);

const arrivals = new Arrivals();

/** A process that is ready to begin its runs. */
async function start(seed: string): Promise<ChildProcess> {
  const program = join(projectRoot, 'src', 'testing', 'programs', 'looping-run.ts');
  const child = startChild(process.execPath, [program, seed, ...NAMES], {
    env: { NODE_COMPILE_CACHE: join(folder, 'compiled'), ...plainEnvironment(), SEXTANT_ENVIRONMENTS: folder },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}

/** Lets a process begin its runs, and kills it some moments after the service heard its `requests`th request. */
async function killAfter(child: ChildProcess, requests: number, moments: number): Promise<void> {
  const reached = arrivals.more(requests);
  const exited = once(child, 'exit');
  child.send('go');
  await Promise.race([reached, exited]);
  if (moments > 0) await wait(moments);
  assert.equal(child.exitCode, null, 'the runs ended by themselves');
  child.kill('SIGKILL');
  await exited;
  // Requests sent just before the kill still arrive.
  do await wait(1);
  while (arrivals.open > 0);
}

test(`${RUNS} runs killed at random moments leave the service as it was, once undone`, async (t) => {
  const seed = Number(process.env.SEXTANT_SEED ?? randomInt(2 ** 31));
  const number = seeded(seed);
  const random = (below: number) => Math.floor(number() * below);
  const before = snapshot();
  const counts = { dirty: 0, undone: 0, kills: 0 };
  const next = () => start(`${seed}-${counts.kills++}`);
  for (let killed = 0; killed < RUNS; killed += NAMES.length) {
    await killAfter(await next(), random(16 * NAMES.length), random(5));
    const isDirty = JSON.stringify(snapshot()) !== JSON.stringify(before);
    if (isDirty) counts.dirty++;
    // Sometimes the next runs are killed as well, while they undo.
    if (isDirty && random(2) === 0) await killAfter(await next(), 1 + random(2 * NAMES.length), random(2));
    const undone = await Promise.all(environments.map((environment) => sweep(environment)));
    counts.undone += undone.flat().length;
    assert.deepEqual(snapshot(), before, `after kill ${counts.kills} of seed ${seed}: ${JSON.stringify(undone)}`);
  }
  t.diagnostic(`seed ${seed}: ${counts.kills} kills, ${counts.dirty} left changes behind, ${counts.undone} undone`);
  assert.ok(counts.dirty > 0 && counts.undone > 0, 'no kill left anything behind, so nothing was shown');
});
