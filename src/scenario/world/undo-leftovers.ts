import { randomUUID } from 'node:crypto';
import {
  asRestoration,
  excerpt,
  foundNothing,
  isPlainRefusal,
  judge,
  type Profile,
  readForgotten,
  readRestored,
  responseLine,
  SuiteFault,
  silent,
} from '../../client/index.ts';
import { fileRoles, remove } from '../../config/files/index.ts';
import { counted, type Environment } from '../../config/index.ts';
import { operation } from '../../spec/index.ts';
import { isMadeBySuite } from '../data/test-data.ts';
import { type Entry, touchesSame } from '../journal/entries.ts';
import { withLock } from '../journal/file-lock.ts';
import { undoLock } from '../journal/journal.ts';
import { assertJournalsWhole, noteInFile, readDeadJournals, readJournals } from '../journal/read-journals.ts';
import { untilRunsAreClear } from '../journal/run-lock.ts';
import { Skipped } from '../specs/tags.ts';
import { World, type WorldOptions } from './world.ts';

export interface Undone {
  readonly entry: Entry;
  readonly done: boolean;
  /** The request with its response, or the reason why nothing was sent. */
  readonly text: string;
  /** It was accepted, and nothing shows whether it worked: the same change being accepted again will. */
  readonly isUnseen?: boolean;
  readonly isHanging?: boolean;
}

export interface UndoOptions
  extends Pick<WorldOptions, 'observer' | 'runId' | 'signal' | 'longestCallMs' | 'transports'> {
  /** Also removes entries that can't be undone. */
  readonly forget?: boolean;
  /** Leaves a change that may still be on its way in the journal, undone or not: it could arrive after its undo. */
  readonly keepsUnanswered?: boolean;
  /** Selects the changes to undo; default: all. */
  readonly only?: ((entry: Entry) => boolean) | undefined;
}

/** Undoes what runs that are over left behind, newest first. Changes of live runs are left alone; failures stay in the journal. */
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
  const { forget = false, keepsUnanswered = false, only = () => true, ...rest } = options;
  const world = new World({ environment: fixed, seed: 0, ...rest });
  const hanging = new Set<string>();
  const all: Undone[] = [];
  const outcomes = new Map<string, Undone>();
  // What is noted from now on waits for the lock before it is sent.
  const { true: live = [], false: dead = [] } = Object.groupBy(
    readJournals(environment.name),
    (file) => `${file.live}`,
  );
  const underWay = live.flatMap(({ pending }) => pending);
  try {
    for (const file of dead) {
      for (const entry of file.pending.filter(only).reverse()) {
        const obstacle = hanging.has(entry.base)
          ? `${entry.undo}: not tried, because ${entry.base} did not respond before`
          : whyNot(entry, environment, underWay);
        // Equal changes have one outcome. A run that is killed while it releases a change leaves it in two journals.
        const isCertain = file.accepted.has(entry.id);
        const key = JSON.stringify([entry.undo, entry.args, entry.userId, entry.base, isCertain]);
        const known = outcomes.get(key);
        const outcome: Undone = known
          ? { ...known, entry }
          : obstacle
            ? { entry, done: false, text: obstacle, isHanging: hanging.has(entry.base) }
            : await undo(entry, isCertain, world);
        outcomes.set(key, outcome);
        // Each further change would wait as long for the same address.
        if (outcome.isHanging) hanging.add(entry.base);
        if (!all.some((each) => each.entry.id === entry.id)) all.push(outcome);
        const age = Date.now() - Date.parse(entry.at);
        const isOnItsWay = keepsUnanswered && !isCertain && age < environment.requestTimeoutMs;
        if (forget) noteInFile(file.path, { struck: entry.id, because: 'forgotten' });
        else if (outcome.done && !isOnItsWay)
          noteInFile(file.path, outcome.isUnseen ? { undone: entry.id } : { struck: entry.id, because: 'undone' });
      }
      const isEmpty = file.pending.length + file.unseen.length + file.damaged.length === 0;
      if (forget || isEmpty) remove(file.path, fileRoles.state);
    }
  } finally {
    await world.close({ verify: false });
  }
  return all;
}

/** `isCertain`: the change was certainly made. */
async function undo(entry: Entry, isCertain: boolean, world: World): Promise<Undone> {
  const { environment } = world;
  const { allowedEffects, successWhen } = environment;
  const left = (text: string): Undone => ({ entry, done: false, text });
  const undoing = operation(entry.undo);
  const { undo: isReversible, restoredBy } = operation(entry.change);
  const effect = allowedEffects.has('reversible') ? 'reversible' : undoing.effect;
  try {
    const session = await world.session(entry.as);
    const exchange = await session.exchange({ ...undoing, effect }, asRestoration(entry.args), new Map(), 'settled');
    const isAccepted = judge(exchange, 'success', successWhen) === undefined;
    const { response, failure } = exchange;
    const seen = response ? responseLine(response, 80) : `no response: ${failure?.reason ?? 'unknown'}`;
    const text = `${entry.undo}: ${isAccepted ? response?.status : seen}`;
    const saysNothing = foundNothing(exchange) || (!isCertain && isPlainRefusal(exchange, successWhen));
    if (!isAccepted && !saysNothing)
      return { ...left(text), isHanging: ['DEADLINE', 'ABORTED'].includes(failure?.code ?? '') };
    const read = () =>
      restoredBy
        ? readRestored(session, environment, entry.args as Profile, isMadeBySuite)
        : readForgotten(session, environment, entry);
    const first = await read();
    // That there was nothing to undo is believed of a list that was read twice: it may lag behind the change.
    const found = isAccepted || first?.isShown ? first : await read();
    if (found?.isShown) return left(`${text}, and ${found.list.operation} still shows it`);
    if (!isAccepted && !found && isCertain) return left(`${text}, though ${entry.change} was accepted before`);
    // Of the other refusals, only a list tells that there was nothing to undo.
    if (!isAccepted && !found && !foundNothing(exchange)) return left(text);
    const isUnseen = isAccepted && !found && isReversible !== undefined && !isMadeBySuite(JSON.stringify(entry.args));
    return { entry, done: true, text, isUnseen };
  } catch (error) {
    if (error instanceof SuiteFault || error instanceof Skipped) return left(error.message);
    throw error;
  }
}

function whyNot(entry: Entry, environment: Environment, underWay: readonly Entry[]): string | undefined {
  const { addresses, caller, friend, name } = environment;
  if (addresses[operation(entry.undo).area].href !== entry.base)
    return `made at ${entry.base}, which is no longer an address of ${name}`;
  const user = entry.as === 'caller' ? caller.userId : friend.userId;
  if (user !== entry.userId) return `made as ${entry.userId}, who is no longer the ${entry.as} of ${name}`;
  const isTouched = underWay.some((other) => touchesSame(entry, other));
  return isTouched ? 'another run is changing the same data; left for later' : undefined;
}

/** Undoes what killed runs left, and says so on stderr, before any scenario runs. @throws FileTrouble for a damaged journal. */
export async function undoAndReportLeftovers(
  environment: Environment,
  signal?: AbortSignal,
  observer = silent,
): Promise<void> {
  await untilRunsAreClear(environment, signal);
  const undone = await undoLeftovers(environment, { observer, runId: randomUUID(), signal });
  if (undone.length > 0) process.stderr.write(`${describeUndone(environment.name, undone)}\n`);
  assertJournalsWhole(environment.name);
}

/** Undoes what this run left: ordinary clean-up, so only what could not be undone is reported. @throws FileTrouble */
export async function undoQuietly(
  environment: Environment,
  options: Partial<Pick<UndoOptions, 'signal' | 'keepsUnanswered' | 'observer'>> = {},
): Promise<void> {
  const undone = await undoLeftovers(environment, { observer: silent, runId: randomUUID(), ...options });
  const left = undone.filter(({ done }) => !done);
  sayLeft(
    `${environment.name}: ${counted(left.length, 'change')} could not be undone; the next run tries again.`,
    left,
  );
}

/** Says what a run that was stopped leaves: the undo of a change that was on its way is not sent any more. @throws FileTrouble */
export function reportLeft({ name }: Environment): void {
  const left = readDeadJournals(name)
    .flatMap((file) => file.pending)
    .map((entry) => ({ entry, done: false, text: 'not undone before the run was stopped' }));
  const next = `The next run begins with that, or \`npx sextant undo --env ${name}\`.`;
  sayLeft(`${name}: stopped, with ${counted(left.length, 'change')} to undo. ${next}`, left);
}

function sayLeft(summary: string, left: readonly Undone[]): void {
  if (left.length > 0) process.stderr.write(`${[summary, ...linesOf(left)].join('\n')}\n`);
}

/** The outcomes of leftovers, one line each, below a summary. */
export function describeUndone(environment: string, undone: readonly Undone[]): string {
  const done = undone.filter((each) => each.done).length;
  const left = undone.length - done;
  const failed = left > 0 ? `; ${counted(left, 'change')} could not be undone` : '';
  const summary = `${environment}: undid ${counted(done, 'change')} left behind by an earlier run${failed}.`;
  return [summary, ...linesOf(undone)].join('\n');
}

/** One line for changes that are alike: many scenarios make the same one. */
function linesOf(undone: readonly Undone[]): string[] {
  const alike = Map.groupBy(undone, ({ entry: { change, args, userId }, done, text }) =>
    JSON.stringify([change, args, userId, done, text]),
  );
  return [...alike.values()].map((all) => {
    const [{ entry, done, text }] = all as [Undone, ...Undone[]];
    const { change, args, userId, at } = entry;
    const [times, since] = all.length > 1 ? [`${all.length} × `, 'first at '] : ['', ''];
    const what = `${times}${change} ${excerpt(JSON.stringify(args), 80)} of ${userId}`;
    return `  ${done ? 'undone' : 'LEFT  '}  ${what}, ${since}${at}: ${text}`;
  });
}
