import { randomUUID } from 'node:crypto';
import {
  asRestoration,
  excerpt,
  foundNothing,
  judge,
  type Observer,
  redact,
  responseLine,
  SuiteFault,
  silent,
} from '../../client/index.ts';
import { FileTrouble, fileRoles, readText, remove, replaceText } from '../../config/files/index.ts';
import { counted, type Environment } from '../../config/index.ts';
import { areaIds, operation } from '../../spec/index.ts';
import { Skipped } from '../skip.ts';
import { World } from '../world.ts';
import { assertJournalsWhole } from './assert-whole.ts';
import { type Entry, type Line, touchesSame } from './entries.ts';
import { withLock } from './file-lock.ts';
import { undoLock } from './journal.ts';
import { type JournalFile, readDeadJournals, readJournals } from './read-journals.ts';

/** The outcome of undoing a leftover change. */
export interface Undone {
  readonly entry: Entry;
  readonly done: boolean;
  /** The request with its response, or the reason why nothing was sent. */
  readonly text: string;
  /** There was no response within the deadline of a call. */
  readonly isHanging?: true;
}

export interface UndoOptions {
  readonly observer: Observer;
  readonly runId: string;
  /** Also removes entries that can't be undone. */
  readonly forget?: boolean;
  /** Selects the changes to undo; default: all. */
  readonly only?: (entry: Entry) => boolean;
  readonly signal?: AbortSignal;
  /** A call may not take longer, whatever the environment allows; in ms. */
  readonly longestCallMs?: number;
}

/**
 * Undoes what killed runs left behind in an environment, newest change first. Changes of live runs
 * are left alone. Returns each outcome; failures stay in the journal.
 */
export async function undoLeftovers(environment: Environment, options: UndoOptions): Promise<Undone[]> {
  if (readDeadJournals(environment.name).length === 0) return [];
  try {
    return await withLock(undoLock(environment.name), () => undoAll(environment, options), { signal: options.signal });
  } catch (error) {
    // Stopped while another process was undoing.
    if (options.signal?.aborted) return [];
    throw error;
  }
}

async function undoAll(environment: Environment, options: UndoOptions): Promise<Undone[]> {
  // As the environment's users: the journal contains only their changes.
  const { provisionUrl: _, ...fixed } = environment;
  const { observer, runId, signal, longestCallMs, forget = false, only = () => true } = options;
  const limits = { ...(signal ? { signal } : {}), ...(longestCallMs === undefined ? {} : { longestCallMs }) };
  const world = new World({ environment: fixed, observer, seed: 0, runId, ...limits });
  const hanging = new Set<string>();
  const all: Undone[] = [];
  try {
    for (const file of readDeadJournals(environment.name)) {
      const undone: Undone[] = [];
      for (const entry of file.pending.filter(only).reverse()) {
        const outcome = hanging.has(entry.base) ? notTried(entry) : await undo(entry, world);
        // Each further change would wait as long for the same address.
        if (outcome.isHanging) hanging.add(entry.base);
        undone.push(outcome);
        if (outcome.done || forget) strikeOut(file, entry, outcome.done ? 'undone' : 'forgotten');
      }
      const isWhole = file.damaged.length === 0;
      const isAll = undone.length === file.pending.length;
      if (isAll && (forget || (isWhole && undone.every(({ done }) => done)))) remove(file.path, fileRoles.journal);
      all.push(...undone);
    }
  } finally {
    await world.close({ verify: false });
  }
  return all;
}

async function undo(entry: Entry, world: World): Promise<Undone> {
  const { environment } = world;
  const { allowedEffects, successWhen } = environment;
  const obstacle = whyNot(entry, world);
  if (obstacle) return { entry, done: false, text: obstacle };
  const undoing = operation(entry.undo);
  const effect = allowedEffects.has('reversible') ? 'reversible' : undoing.effect;
  try {
    const session = await world.session(entry.as);
    const exchange = await session.exchange({ ...undoing, effect }, asRestoration(entry.args), new Map(), 'settled');
    const done = judge(exchange, 'success', successWhen) === undefined;
    const { response, failure } = exchange;
    const seen = response ? responseLine(response, 80) : `no response: ${failure?.reason ?? 'unknown'}`;
    if (done) return { entry, done, text: `${entry.undo}: ${response?.status}` };
    const hangs = failure?.code === 'DEADLINE' ? { isHanging: true as const } : {};
    return { entry, done: foundNothing(exchange), text: `${entry.undo}: ${seen}`, ...hangs };
  } catch (error) {
    if (error instanceof SuiteFault || error instanceof Skipped) return { entry, done: false, text: error.message };
    throw error;
  }
}

function notTried(entry: Entry): Undone {
  return { entry, done: false, text: `${entry.undo}: not tried, because ${entry.base} did not respond before` };
}

/** The reason why an entry can't be undone now; `undefined` if it can. */
function whyNot(entry: Entry, { environment }: World): string | undefined {
  const { addresses, caller, friend, name } = environment;
  if (!areaIds.some((area) => area === operation(entry.undo).area && addresses[area].href === entry.base))
    return `made at ${entry.base}, which is no longer an address of ${name}`;
  const user = entry.as === 'caller' ? caller.userId : friend.userId;
  if (user !== entry.userId) return `made as ${entry.userId}, who is no longer the ${entry.as} of ${name}`;
  const live = readJournals(name).filter((file) => file.live);
  if (live.some(({ pending }) => pending.some((other) => touchesSame(entry, other))))
    return 'another run is changing the same data; left for later';
  return undefined;
}

function strikeOut({ path }: JournalFile, { id }: Entry, because: string): void {
  const line: Line = { struck: id, because };
  try {
    // Without its torn last line, if it has one: that would take this one with it.
    const whole = readText(path, fileRoles.journal).replace(/[^\n]*$/, '');
    replaceText(path, redact(`${whole}${JSON.stringify(line)}\n`), fileRoles.journal);
  } catch (error) {
    // An entry that can't be removed on a full disk is undone again by the next run, which is harmless.
    if (!(error instanceof FileTrouble)) throw error;
  }
}

/**
 * Undoes what killed runs left behind, and reports it on stderr. Every command that runs scenarios starts with this.
 * @throws FileTrouble when a journal can't be read, or is damaged.
 */
export async function undoAndReportLeftovers(environment: Environment, signal?: AbortSignal): Promise<void> {
  const options = { observer: silent, runId: randomUUID(), ...(signal ? { signal } : {}) };
  const undone = await undoLeftovers(environment, options);
  if (undone.length > 0) process.stderr.write(`${describeUndone(environment.name, undone)}\n`);
  assertJournalsWhole(environment.name);
}

/**
 * Undoes what the scenarios of this run could not, so that the next one finds nothing. That is ordinary clean-up: only what
 * could not be undone is reported, on stderr.
 * @throws FileTrouble when a journal can't be read.
 */
export async function undoQuietly(environment: Environment, signal?: AbortSignal): Promise<void> {
  const options = { observer: silent, runId: randomUUID(), ...(signal ? { signal } : {}) };
  const left = (await undoLeftovers(environment, options)).filter(({ done }) => !done);
  if (left.length === 0) return;
  const summary = `${environment.name}: ${counted(left.length, 'change')} could not be undone; the next run tries again.`;
  process.stderr.write(`${[summary, ...left.map(line)].join('\n')}\n`);
}

/** The outcomes of leftovers, one line each, below a summary. */
export function describeUndone(environment: string, undone: readonly Undone[]): string {
  const done = undone.filter((each) => each.done).length;
  const left = undone.length - done;
  const changes = (count: number) => counted(count, 'change');
  const failed = left > 0 ? `; ${changes(left)} could not be undone` : '';
  const summary = `${environment}: undid ${changes(done)} left behind by an earlier run${failed}.`;
  return [summary, ...undone.map(line)].join('\n');
}

function line({ entry, done, text }: Undone): string {
  const { change, args, userId, at } = entry;
  return `  ${done ? 'undone' : 'LEFT  '}  ${change} ${excerpt(JSON.stringify(args), 80)} of ${userId}, ${at}: ${text}`;
}
