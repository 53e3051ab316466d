import { hash } from 'node:crypto';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { fileRoles, readTextIfAny, remove, replaceText, unlessFileTrouble } from '../../environment/files/index.ts';
import type { Environment } from '../../environment/index.ts';
import { parsedJson, unlessAborted } from '../../http/index.ts';
import { redact } from '../../redaction/index.ts';
import { type AreaId, areaIds, firstArea, operation, operationIds } from '../../service/index.ts';
import { SuiteFault } from '../../verdict/index.ts';
import { type Release, takeLock, tryLock, type Waiting } from './exclusive-lock.ts';
import { stateFolder } from './state-folder.ts';
import { type Turn, TurnQueue } from './turn-queue.ts';

export type SharedUsers = Pick<Environment, 'addresses' | 'caller' | 'friend'>;

/** The lock of the users can't be taken, so that nothing was sent. */
export class LockFailed extends SuiteFault {
  override readonly name = 'LockFailed';
}

/** The process that holds the lock of users, for messages alone. */
export interface Holder {
  readonly pid: number;
  readonly command: string;
  readonly host: string;
}

export interface LockOptions {
  readonly signal?: AbortSignal | undefined;
  /** One line for the user, when this process has to wait for another one. */
  readonly say: (line: string) => void;
  /** The areas that the work is limited to; absent: all. Within a process, areas that don't affect each other don't wait. */
  readonly areas?: readonly AreaId[] | undefined;
  /** Within a process, the earliest is next: an epoch in ms, by a clock that nobody sets. Absent: in the order of calls. */
  readonly since?: Turn['since'] | undefined;
}

/** Shorter waits are not reported, in ms. */
const SAID_AFTER_MS = 1_000;

/** The users whose lock the parent of this process holds for it, as a run of Playwright does for its workers. */
const HELD_VARIABLE = 'SEXTANT_USERS_HELD';

/** The same for two environments that name the same users of the same service. */
export function usersOf({ addresses, caller, friend }: SharedUsers): string {
  const users = [addresses[firstArea].href, caller.clientId, caller.userId, friend.userId];
  return hash('sha256', JSON.stringify(users)).slice(0, 24);
}

/** Whether an environment needs no lock: each run has its own users, or changes nothing. */
export function isDivisible({ provisionUrl, allowedEffects }: Environment): boolean {
  return provisionUrl !== undefined || [...allowedEffects].every((effect) => effect === 'read');
}

/** A block in one area that acts as the environment's users may affect another. */
const actAsUsers = new Set(
  operationIds.flatMap((id) => (operation(id).headerSet === 'user' ? [operation(id).area] : [])),
);

/** The areas that work in `areas` must have for itself, in their order: changes that affect other areas need all that act as the users. */
export function areasHeldBy(areas: readonly AreaId[]): AreaId[] {
  const isAffecting = areas.includes(operation('block').area);
  return areaIds.filter((area) => areas.includes(area) || (isAffecting && actAsUsers.has(area)));
}

/** The users of a service as this process has them: each area has one at a time, and all that work now have the lock in common. */
class UsersLock {
  readonly #path: string;
  /** For each area, and for the lock itself. */
  readonly #queue = new TurnQueue();
  #working = 0;
  #release: Release | undefined;
  #freed = Promise.withResolvers<void>();

  constructor(path: string) {
    this.#path = path;
  }

  get isHeld(): boolean {
    return this.#release !== undefined;
  }

  async take(areas: readonly AreaId[], since: Turn['since'], waiting: Waiting): Promise<Release> {
    const leave = await this.#queue.enter({ keys: () => areas, since }, waiting.signal);
    try {
      const leaveLock = await this.#queue.enter({ keys: () => ['lock'], since }, waiting.signal);
      await this.#join(waiting).finally(leaveLock);
    } catch (error) {
      leave();
      throw error;
    }
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      leave();
      this.#leave();
    };
  }

  /**
   * Shares the lock that this process has, unless another process waits for it, which then has the next turn. Processes take turns with a
   * second lock: a process holds it while it waits for the first.
   */
  async #join(waiting: Waiting): Promise<void> {
    const next = this.#path.replace(/\.sqlite$/, '-next.sqlite');
    const turn = this.#release && tryLock(next);
    turn?.();
    if (this.#release && !turn) await unlessAborted(this.#freed.promise, waiting.signal);
    if (!this.#release) {
      const endTurn = await takeLock(next, waiting);
      this.#release = await takeLock(this.#path, waiting).finally(endTurn);
      this.#freed = Promise.withResolvers<void>();
      unlessFileTrouble(() => replaceText(noteOf(this.#path), redact(JSON.stringify(thisProcess())), fileRoles.state));
    }
    this.#working++;
  }

  #leave(): void {
    if (--this.#working > 0) return;
    unlessFileTrouble(() => remove(noteOf(this.#path), fileRoles.state));
    this.#release?.();
    this.#release = undefined;
    this.#freed.resolve();
  }
}

const locks = new Map<string, UsersLock>();

/**
 * Keeps apart what changes something as the same users: one would see the other's blocks and loves as faults of the service. Waits for others,
 * and returns a function that lets the next one begin. @throws FileTrouble, or the abort error of `signal`.
 */
export async function takeUsers(environment: Environment, options: LockOptions): Promise<Release> {
  if (needsNoLock(environment)) return () => {};
  const now = performance.timeOrigin + performance.now();
  const { signal, say, areas = areaIds, since = () => now } = options;
  const users = usersOf(environment);
  const path = lockPath(users);
  const lock = locks.get(path) ?? new UsersLock(path);
  locks.set(path, lock);
  let isSaid = false;
  const onWait = (waitedMs: number) => {
    if (isSaid || waitedMs < SAID_AFTER_MS) return;
    isSaid = true;
    say(
      `${environment.name}: waiting for ${holderText(noteOn(path))}, which acts as the same users. A PROVISION_URL would give each run its own.`,
    );
  };
  return lock.take(areasHeldBy(areas), since, { signal, onWait });
}

/** Lets the processes that this one starts share the lock until the returned function is called. */
export function shareWithChildren(environment: Environment): () => void {
  const users = usersOf(environment);
  process.env[HELD_VARIABLE] = [...sharedByParent(), users].join(',');
  return () => {
    process.env[HELD_VARIABLE] = sharedByParent()
      .filter((each) => each !== users)
      .join(',');
  };
}

/** Whether a run has no users to wait for, or the parent of this process holds their lock. */
export function needsNoLock(environment: Environment): boolean {
  return isDivisible(environment) || sharedByParent().includes(usersOf(environment));
}

/**
 * The holder of the lock of users; `undefined` if there is none or it is the run of this process. @throws FileTrouble
 */
export function otherHolder(users: string): Holder | undefined {
  const path = lockPath(users);
  if (locks.get(path)?.isHeld || sharedByParent().includes(users)) return undefined;
  const release = tryLock(path);
  release?.();
  return release ? undefined : (noteOn(path) ?? { pid: 0, command: 'another process', host: '' });
}

export function holderText(holder: Holder | undefined): string {
  if (!holder || holder.pid === 0) return 'another run';
  const where = holder.host === hostname() ? '' : ` on ${holder.host}`;
  return `another run (${holder.command}, process ${holder.pid}${where})`;
}

function sharedByParent(): string[] {
  return (process.env[HELD_VARIABLE] ?? '').split(',').filter(Boolean);
}

function lockPath(users: string): string {
  return join(stateFolder(), 'locks', `${users}.sqlite`);
}

/** Not in the file itself, which is never opened but by SQLite. */
function noteOf(path: string): string {
  return path.replace(/\.sqlite$/, '.json');
}

function noteOn(path: string): Holder | undefined {
  const note = parsedJson(unlessFileTrouble(() => readTextIfAny(noteOf(path), fileRoles.state)) ?? '');
  return typeof note === 'object' && note !== null && 'pid' in note ? (note as Holder) : undefined;
}

function thisProcess(): Holder {
  const [, program = '', command = ''] = process.argv;
  const name = basename(program).replace(/\.[jt]s$/, '');
  return {
    pid: process.pid,
    command: [name, /^[a-z]+$/.test(command) ? command : ''].join(' ').trim(),
    host: hostname(),
  };
}
