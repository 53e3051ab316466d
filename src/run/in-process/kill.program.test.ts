import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { projectRoot } from '../../environment/project-root.ts';
import { readJournals, sweep } from '../../safety/index.ts';
import { plainEnvironment, startChild } from '../../testing/programs/child.ts';
import { seeded } from '../../testing/random-numbers.ts';
import { Arrivals } from '../../testing/servers/arrivals.ts';
import type { WireVariant } from '../../testing/servers/wire-proxy.ts';
import { usersToKill } from '../../testing/users-to-kill.ts';

const RUNS = Number(process.env.SEXTANT_KILLS ?? 50);
/**
 * The environments in which one process plays scenarios at the same time, each with its own users and another scenario. So one kill hits
 * many runs. This saves time, because starting the next process takes the longest.
 */
const NAMES = Array.from({ length: 10 }, (_, index) => `kill-${index}`);

/** The number of runs that are killed while the service takes 0.3 to 1.5 s for each response. */
const SLOW_RUNS = Number(process.env.SEXTANT_SLOW_KILLS ?? 10);
const seed = Number(process.env.SEXTANT_SEED ?? randomInt(2 ** 31));
const number = seeded(seed);
const random = (below: number) => Math.floor(number() * below);

/** The number of requests that the proxy is holding back at present. Each still reaches the service, even if its client was killed. */
let held = 0;
let isHolding = false;
/** The number of requests that the proxy is passing on. The response to a killed client counts as closed already then. */
let passing = 0;
const variant: WireVariant = async (asked, forward) => {
  if (!isHolding) {
    passing++;
    return forward(asked).finally(() => passing--);
  }
  held++;
  await wait(300 + random(1_200));
  return forward(asked).finally(() => held--);
};
const { folder, environments, muchLater, snapshot } = await usersToKill(NAMES, { requestTimeoutMs: 10_000, variant });

const arrivals = new Arrivals();

/** The connections that the proxy has accepted since the last process began its runs. One closes when all of its requests have been read. */
const connections = new Set<Socket>();
const proxyPorts = new Set(Object.values(environments[0]?.addresses ?? {}).map(({ port }) => Number(port)));
diagnostics.subscribe('net.server.socket', (message) => {
  const { socket } = message as { socket: Socket };
  if (!proxyPorts.has(socket.localPort ?? 0)) return;
  connections.add(socket);
  socket.once('close', () => connections.delete(socket));
});

/** Starts a process that waits for the message to begin its runs. */
async function start(seed: string): Promise<ChildProcess> {
  const program = join(projectRoot, 'src', 'testing', 'programs', 'looping-run.ts');
  const child = startChild(process.execPath, [program, seed, ...NAMES], {
    env: { NODE_COMPILE_CACHE: join(folder, 'compiled'), ...plainEnvironment(), SEXTANT_ENVIRONMENTS: folder },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}

/**
 * Tells a process to begin its runs, and kills it `moments` ms after the service has received `requests` requests. Then waits for requests
 * that are still under way, unless `isRash`.
 */
async function killAfter(child: ChildProcess, requests: number, moments: number, isRash = false): Promise<void> {
  const reached = arrivals.more(requests);
  const exited = once(child, 'exit');
  // This process keeps the connections of its last undo open. The killed process never uses them.
  connections.clear();
  child.send('go');
  await Promise.race([reached, exited]);
  if (moments > 0) await wait(moments);
  assert.equal(child.exitCode, null, 'the runs ended by themselves');
  child.kill('SIGKILL');
  await exited;
  // Requests that were sent just before the kill still reach the service.
  do await wait(1);
  while (arrivals.open + passing + connections.size > 0 && !isRash);
}

async function killAll(t: TestContext, runs: number, isSlow: boolean): Promise<void> {
  const before = snapshot();
  const counts = { dirty: 0, undone: 0, kills: 0, late: 0 };
  const next = () => start(`${seed}-${counts.kills++}`);
  for (let killed = 0; killed < runs; killed += NAMES.length) {
    isHolding = isSlow;
    // There are few kills on a slow service, so each comes after every run has sent a request, and leaves something to undo.
    const requests = isSlow ? NAMES.length + random(7 * NAMES.length) : random(16 * NAMES.length);
    await killAfter(await next(), requests, random(isSlow ? 1_000 : 5), isSlow);
    const atKill = JSON.stringify(snapshot());
    const isDirty = atKill !== JSON.stringify(before) || isSlow;
    if (isDirty) counts.dirty++;
    // Half of the time, also kills the next runs while they undo the changes.
    if (isDirty && random(2) === 0) await killAfter(await next(), 1 + random(2 * NAMES.length), random(2), isSlow);
    counts.late += held;
    // From now on, the proxy forwards requests at once. So the undo arrives before the requests that the proxy is still holding back.
    isHolding = false;
    const undoAll = () => Promise.all(environments.map((environment) => sweep(environment)));
    const undone = await (isSlow ? undoAll() : muchLater(undoAll));
    counts.undone += undone.flat().length;
    while (held > 0) await wait(10);
    const left = environments.flatMap((environment) => readJournals(environment));
    assert.deepEqual(
      [snapshot(), left],
      [before, []],
      `kill ${counts.kills} of seed ${seed}: ${JSON.stringify(undone)}`,
    );
  }
  const late = isSlow ? `, ${counts.late} requests on their way at the undo` : '';
  t.diagnostic(
    `seed ${seed}: ${counts.kills * NAMES.length} runs killed, ${counts.dirty} times with changes left, ${counts.undone} undone${late}`,
  );
  assert.ok(counts.dirty > 0 && counts.undone > 0, 'no kill left anything behind, so nothing was shown');
}

test(`${RUNS} runs killed at random moments leave the service as it was, once undone`, (t) => killAll(t, RUNS, false));

test(`${SLOW_RUNS} runs killed on a slow service, which still carries out what it was sent, leave it as it was, once undone`, (t) =>
  killAll(t, SLOW_RUNS, true));
