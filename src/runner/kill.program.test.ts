import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { startService } from '../../reference-service/index.ts';
import { silent } from '../client/index.ts';
import { environmentFiles, loadEnvironment } from '../config/index.ts';
import { undoLeftovers } from '../scenario/index.ts';
import { areaIds, areas } from '../spec/index.ts';
import { startChild } from '../testing/programs/child.ts';
import { plainEnvironment } from '../testing/programs/plain-environment.ts';
import { seeded } from '../testing/random-numbers.ts';
import { Arrivals } from '../testing/servers/arrivals.ts';

/** A run is killed at each of its first requests once. */
const REQUESTS = 16;
const ROUNDS = Number(process.env.SEXTANT_KILLS ?? REQUESTS);
const NAME = 'kill';

const folder = mkdtempSync(join(tmpdir(), 'sextant-kill-'));
const data = join(folder, 'state.db');
const service = await startService({ port: 0, data });
const database = new DatabaseSync(data);
const warm: ChildProcess[] = [];
after(async () => {
  for (const child of warm) child.kill('SIGKILL');
  database.close();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

// Its own file: no provisioner, so that every scenario acts as the same two users, and nothing but reversible is allowed.
const local = readFileSync(environmentFiles('local').own, 'utf8').replace(/^(\w+_URL|ALLOWED_EFFECTS)=.*\n/gm, '');
const own = areaIds.map((area) => `${areas[area].addressKey}=${service.addresses[area]}`).join('\n');
writeFileSync(join(folder, `${NAME}.env`), `${local}\n${own}\nALLOWED_EFFECTS=read,reversible\n`);
process.env.SEXTANT_STATE = join(folder, 'state');
process.env.SEXTANT_OUTPUT = join(folder, 'output');
const environment = loadEnvironment(NAME, { folder });

// The earlier state must be there afterwards.
database.exec(`
  INSERT INTO blocks VALUES ('user-ada', 'user-old-foe', '2026-01-01T00:00:00.000Z');
  INSERT INTO loves VALUES ('user-ben', 'story-lighthouse');
  INSERT INTO profiles VALUES ('user-ada', '{"name":"Ada","status":"sailing","url":"https://a.test/1.png","gender":2}');
`);

const snapshot = () =>
  ['blocks', 'loves', 'profiles'].map((table) => database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all());

const arrivals = new Arrivals();

function start(seed: string): ChildProcess {
  return startChild(
    process.execPath,
    [join(import.meta.dirname, '..', 'testing', 'programs', 'looping-run.ts'), NAME, seed],
    {
      env: { ...plainEnvironment(), SEXTANT_ENVIRONMENTS: folder, NODE_COMPILE_CACHE: join(folder, 'compiled') },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
}

async function ready(child: ChildProcess): Promise<ChildProcess> {
  await once(child, 'message');
  return child;
}

/** Lets a run begin and kills it some moments after the service heard its `requests`th request. */
async function killAfter(child: ChildProcess, requests: number, moments: number): Promise<void> {
  const reached = arrivals.more(requests);
  const exited = once(child, 'exit');
  child.send('go');
  await Promise.race([reached, exited]);
  if (moments > 0) await wait(moments);
  assert.equal(child.exitCode, null, 'the run ended by itself');
  child.kill('SIGKILL');
  await exited;
  // Requests sent just before the kill still arrive.
  do await wait(1);
  while (arrivals.open > 0);
}

test(`${ROUNDS} runs killed after one request more each leave the service as it was, once undone`, async () => {
  const seed = Number(process.env.SEXTANT_SEED ?? randomInt(2 ** 31));
  const number = seeded(seed);
  const random = (below: number) => Math.floor(number() * below);
  const before = snapshot();
  const counts = { dirty: 0, undone: 0, kills: 0 };
  const next = () => {
    warm.push(start(`${seed}-${warm.length}`));
    return ready(warm.at(-1) as ChildProcess);
  };
  let coming = next();
  const take = async () => {
    const child = await coming;
    coming = next();
    counts.kills++;
    return child;
  };
  for (let round = 0; round < ROUNDS; round++) {
    await killAfter(await take(), round % REQUESTS, random(5));
    const isDirty = JSON.stringify(snapshot()) !== JSON.stringify(before);
    if (isDirty) counts.dirty++;
    // Sometimes the next run is killed as well, while it undoes.
    if (isDirty && random(4) === 0) await killAfter(await take(), 1 + random(2), random(2));
    const undone = await undoLeftovers(environment, { observer: silent, runId: `undo-${round}` });
    counts.undone += undone.length;
    assert.deepEqual(snapshot(), before, `after kill ${round + 1} of seed ${seed}: ${JSON.stringify(undone)}`);
  }
  process.stdout.write(
    `# seed ${seed}: ${counts.kills} kills, ${counts.dirty} left changes behind, ${counts.undone} undone\n`,
  );
  assert.ok(counts.dirty > 0 && counts.undone > 0, 'no kill left anything behind, so nothing was shown');
});
