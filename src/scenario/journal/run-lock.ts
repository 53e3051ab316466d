import { hash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ConfigurationError, type Environment } from '../../config/index.ts';
import { type AreaId, areaIds, firstArea, operation, operationIds, operationsWith } from '../../spec/index.ts';
import { outputFolder, stateFolder } from '../state/output-folders.ts';
import { holderOf, takeLock } from './file-lock.ts';
import { DEAD_AFTER_MS, isOfThisHost, machineOf } from './owner.ts';
import { readJournals } from './read-journals.ts';

interface RunLockOptions {
  readonly signal?: AbortSignal;
  /** One line for the user, when this run has to wait for another one. */
  readonly say: (line: string) => void;
  /** The areas that the run is limited to; absent: all. Runs of areas that don't affect each other don't wait. */
  readonly areas?: readonly AreaId[] | undefined;
}

/**
 * Keeps runs on this machine that act as the same users apart: one would see the other's blocks and loves as faults of the
 * service. Waits for the other run, and returns a function that lets the next one begin. With a provisioner every run has users for itself.
 * Runs that share no state folder, such as those on two machines, don't see each other's lock.
 */
export async function takeRunLock(environment: Environment, options: RunLockOptions): Promise<() => void> {
  if (environment.provisionUrl) return () => {};
  const { signal, say, areas = areaIds } = options;
  const releases: (() => void)[] = [];
  const release = () => {
    for (const each of releases.splice(0).reverse()) each();
  };
  const onWait = ({ pid }: { readonly pid: number }) =>
    say(
      `${environment.name}: waiting for another run (process ${pid}), which acts as the same users. A PROVISION_URL would give each run its own.`,
    );
  try {
    for (const area of areasHeldBy(areas))
      releases.push(await takeLock(lockPath(usersOf(environment), area), { signal, onWait }));
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

/** The locks that runs hold on the users of an environment. @throws FileTrouble */
export function runLocks(environment: Environment): { readonly pid: number; readonly live: boolean }[] {
  const users = usersOf(environment);
  const holders = areaIds.flatMap((area) => holderOf(lockPath(users, area)) ?? []);
  return holders.map(({ owner, isLive }) => ({ pid: owner.pid, live: isLive }));
}

/** Keeps two runs that write into the same folder apart. */
export function takeOutputLock({ signal, say }: RunLockOptions): Promise<() => void> {
  const folder = outputFolder();
  return takeLock(join(folder, 'run.lock'), {
    signal,
    onWait: ({ pid }) =>
      say(
        `Waiting for another run (process ${pid}), which writes into ${folder}. SEXTANT_OUTPUT names another folder.`,
      ),
  });
}

function lockPath(users: string, area: AreaId): string {
  return join(stateFolder(), 'run-locks', `${users}-${area}.lock`);
}

/** The same for two environments that name the same users of the same service. */
export function usersOf({ addresses, caller, friend }: Environment): string {
  const users = [addresses[firstArea].href, caller.clientId, caller.userId, friend.userId];
  return hash('sha256', JSON.stringify(users)).slice(0, 24);
}

/** Whether tests of an environment may run on several machines at once: each has its own users, or changes nothing. */
export function isDivisible({ provisionUrl, allowedEffects }: Environment): boolean {
  return provisionUrl !== undefined || [...allowedEffects].every((effect) => effect === 'read');
}

/** Shards are divided without regard to users. @throws ConfigurationError where two of them would act as the same. */
export function assertDivisible(environments: readonly Environment[]): void {
  const sharing = environments.filter((each) => !isDivisible(each)).map(({ name }) => name);
  if (sharing.length > 0)
    throw new ConfigurationError(
      `${sharing.join(', ')}: without a PROVISION_URL, shards would act as the same users and make each other red, so run it without --shard, set PROVISION_URL, or allow nothing but read.`,
    );
}

/** A block in one area that acts as the environment's users may affect another. */
const actAsUsers = new Set(
  operationIds.flatMap((id) => (operation(id).headerSet === 'user' ? [operation(id).area] : [])),
);

/** The areas that a run in `areas` must have for itself, in their order: what affects other areas needs all that act as the users. */
export function areasHeldBy(areas: readonly AreaId[]): AreaId[] {
  const isAffecting = operationsWith('affectsOthers').some(({ area }) => areas.includes(area));
  return areaIds.filter((area) => areas.includes(area) || (isAffecting && actAsUsers.has(area)));
}

/** The processes that run against an environment now, with the changes of each that are still to be undone. @throws FileTrouble */
export function liveRuns(environment: Environment): ReadonlyMap<number, number> {
  const runs = new Map<number, number>();
  for (const { pid, live } of runLocks(environment)) if (live) runs.set(pid, 0);
  for (const { owner, live, pending } of readJournals(environment.name))
    if (live && typeof owner === 'object' && pending.length > 0)
      runs.set(owner.pid, (runs.get(owner.pid) ?? 0) + pending.length);
  return runs;
}

/** Waits, at most `DEAD_AFTER_MS`, until it is clear whether runs on other machines that left changes go on. @throws FileTrouble */
export async function untilRunsAreClear({ name }: Environment, signal?: AbortSignal): Promise<void> {
  const seen = new Map<string, number>();
  for (let looks = 0; !signal?.aborted; looks++) {
    const [first] = readJournals(name).flatMap(({ path, owner, live, renewed, pending, unseen, damaged }) => {
      const isRenewed = renewed !== (seen.get(path) ?? renewed);
      seen.set(path, seen.get(path) ?? renewed);
      if (!live || isRenewed || pending.length + unseen.length + damaged.length === 0) return [];
      return typeof owner === 'object' && !isOfThisHost(owner) ? owner : [];
    });
    if (!first) return;
    if (looks === LOOKS_BEFORE_SAYING)
      process.stderr.write(
        `${name}: waiting up to ${DEAD_AFTER_MS / 1_000} s, to see whether a run on ${machineOf(first)} (process ${first.pid}), which left changes, goes on.\n`,
      );
    await wait(LOOK_MS, undefined, signal ? { signal } : {}).catch(() => {});
  }
}

const LOOK_MS = 250;
const LOOKS_BEFORE_SAYING = 12;
