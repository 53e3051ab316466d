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

/** The lock of the users can't be taken, so nothing was sent. */
export class LockFailed extends SuiteFault {
  override readonly name = 'LockFailed';
}

/** The process that holds the lock of the users. Only messages use this. */
export interface Holder {
  readonly pid: number;
  readonly command: string;
  readonly host: string;
}

export interface LockOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with one line for the user if this process has to wait for another one. */
  readonly say: (line: string) => void;
  /** The areas of the work; absent: all. Within a process, work in areas that don't affect each other doesn't wait. */
  readonly areas?: readonly AreaId[] | undefined;
  /**
   * The rank of the work among all work that waits in this process: a time in ms since 1970, by a monotonic clock. The earliest is next.
   * Absent: the work begins in the order of the calls.
   */
  readonly since?: Turn['since'] | undefined;
}

/** A shorter wait, in ms, is not reported. */
const SAID_AFTER_MS = 1_000;

/** Names the users whose lock the parent process holds for this one, as a Playwright run does for its workers. */
const HELD_VARIABLE = 'SEXTANT_USERS_HELD';

/** An id of an environment's users: the same for two environments that name the same users of the same service. */
export function usersOf({ addresses, caller, friend }: SharedUsers): string {
  const users = [addresses[firstArea].href, caller.clientId, caller.userId, friend.userId];
  return hash('sha256', JSON.stringify(users)).slice(0, 24);
}

/** Whether an environment needs no lock: each run has its own users, or changes nothing. */
export function isDivisible({ provisionUrl, allowedEffects }: Environment): boolean {
  return provisionUrl !== undefined || [...allowedEffects].every((effect) => effect === 'read');
}

/** The areas with operations that act as the environment's users. A block of one user by the other may affect every one of these areas. */
const actAsUsers = new Set(
  operationIds.flatMap((id) => (operation(id).headerSet === 'user' ? [operation(id).area] : [])),
);

/**
 * The areas in which no other work may run during work in `areas`. A block of one user by the other affects other areas, so
 * work in the area of `block` also needs every area with operations that act as these users.
 */
export function areasHeldBy(areas: readonly AreaId[]): AreaId[] {
  const isAffecting = areas.includes(operation('block').area);
  return areaIds.filter((area) => areas.includes(area) || (isAffecting && actAsUsers.has(area)));
}

/**
 * The lock of a service's users in this process. Work in the same area takes turns. Work in areas that don't affect each other shares the
 * lock.
 */
class UsersLock {
  readonly #path: string;
  /** Gives turns for each area, and turns to take the lock itself. */
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
   * Shares the lock that this process holds. If another process waits for the lock, that process has the next turn. A second lock makes this
   * possible: a process holds it while it waits for the first one.
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
 * Takes the lock of the users. Work that changes something as the same users must not overlap, because one run's blocks and loves look like
 * faults of the service to the other run. Waits until the lock is free, and returns a function that releases it. @throws FileTrouble, or
 * the abort error of `signal`.
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
      `${environment.name}: waiting for ${holderText(noteOn(path))}, which acts as the same users. With a PROVISION_URL, each run would have its own users.`,
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

/** Whether a run needs no lock, because it shares no users or the parent process holds their lock. */
export function needsNoLock(environment: Environment): boolean {
  return isDivisible(environment) || sharedByParent().includes(usersOf(environment));
}

/**
 * The other process that holds the lock of the users; `undefined` if there is none, or if this process or its parent holds the lock.
 * @throws FileTrouble
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

/** The file that names the holder. It isn't the lock file itself, because only SQLite may open the lock file. */
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
