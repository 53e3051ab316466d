import { setTimeout as wait } from 'node:timers/promises';
import type { Session } from '../call/index.ts';
import { counted, type Environment } from '../environment/index.ts';
import { type AreaId, operation } from '../service/index.ts';
import { excerpt, responseLine, SuiteError, SuiteFault } from '../verdict/index.ts';
import { isOfCaller } from './changes.ts';
import { credentialKey, type RefusedCredentials } from './credential-guard.ts';
import { type Leftover, leftoversOf, removeJournals } from './leftovers.ts';
import { Reachability } from './reachability.ts';
import { undoStateAfter } from './recorded-changes.ts';
import { readForgotten } from './shown-change.ts';
import { undoChange } from './undo-change.ts';
import { type SendingOptions, undoSessions } from './undo-sessions.ts';

export interface Undone {
  readonly entry: Leftover;
  readonly done: boolean;
  /** The request with its response, or the reason why nothing was sent. */
  readonly text: string;
}

export interface SweepOptions extends SendingOptions {
  /** The areas whose changes are undone; absent: all. */
  readonly areas?: readonly AreaId[] | undefined;
  /**
   * Decides about changes that had no response and are younger than REQUEST_TIMEOUT_MS, because they may arrive after their undo. True:
   * the sweep keeps their records in the journal, even if it has undone the changes. Absent: the sweep waits until the changes are older.
   */
  readonly keepsUnanswered?: boolean;
  /** Called with a line for the user before a wait for changes that may still be on their way. */
  readonly say?: ((line: string) => void) | undefined;
  /** Also removes from the journals the changes that can't be undone. */
  readonly forget?: boolean;
  /**
   * Knows which addresses respond. If the last request to an address had no response, no undo is sent there. Absent: the sweep knows only
   * the outcomes of its own requests.
   */
  readonly reach?: Reachability | undefined;
}

/**
 * Undoes the changes that ended scenarios and runs left behind, newest first. A change that can't be undone stays in its journal. The caller must
 * hold the lock of the users.
 */
export async function sweep(environment: Environment, options: SweepOptions = {}): Promise<Undone[]> {
  const { areas, forget = false, keepsUnanswered = false, signal, reach = new Reachability(environment) } = options;
  removeJournals(environment);
  const isWanted = ({ undo }: Leftover) => !areas || areas.includes(operation(undo).area);
  const all = leftoversOf(environment).filter(isWanted);
  if (all.length === 0 && !forget) return [];
  /** How long the change or its undo may still be on its way, in ms. */
  const onItsWayMs = (entry: Leftover) => {
    const sent = [entry.isAccepted || entry.isAnswered ? '' : entry.at, (entry.isUndoSent && entry.undoSentAt) || ''];
    const last = Math.max(...sent.map((at) => Date.parse(at) || 0));
    return whyNot(entry, environment) ? 0 : Math.max(0, last + environment.requestTimeoutMs - Date.now());
  };
  if (!keepsUnanswered && !forget) await waitFor(Math.max(0, ...all.map(onItsWayMs)), environment, options);
  const sessions = undoSessions(environment, options);
  const undone: Undone[] = [];
  const alike = Map.groupBy(all, ({ undo, args, userId, clientId, base }) =>
    JSON.stringify([undo, args, userId, clientId, base]),
  );
  try {
    for (const equal of alike.values()) {
      if (signal?.aborted) break;
      const outcome = await tryUndo(asOne(equal), environment, sessions.of, reach, options.refused);
      for (const entry of equal) {
        // If a run was killed while it rewrote a journal, two files may hold the same change.
        if (!undone.some((each) => each.entry.id === entry.id)) undone.push({ entry, ...outcome });
        if (forget) entry.strike('forgotten');
        else if (outcome.done && onItsWayMs(entry) === 0) entry.strike('undone');
      }
    }
  } finally {
    sessions.end();
  }
  if (forget) removeJournals(environment, true);
  return undone;
}

/** Combines equal changes, because one undo covers all of them. */
function asOne(equal: readonly Leftover[]): Leftover {
  return {
    ...(equal[0] as Leftover),
    isAccepted: equal.some(({ isAccepted }) => isAccepted),
    isUndone: equal.every(({ isUndone }) => isUndone),
    isUndoSent: equal.some(({ isUndoSent }) => isUndoSent),
    note: (state) => equal.forEach((each) => void each.note(state)),
    strike: (because) => equal.forEach((each) => void each.strike(because)),
  };
}

async function waitFor(ms: number, { name, requestTimeoutMs }: Environment, { say, signal }: SweepOptions) {
  if (ms === 0) return;
  say?.(`${name}: waiting ${Math.ceil(ms / 1_000)} s, because a change of an earlier run may still be on its way.`);
  // Never waits longer than a request may take, because the clock of another machine may be ahead. An abort ends the wait without an error:
  // the caller checks `signal`, and undoes nothing more.
  await wait(Math.min(ms, requestTimeoutMs), undefined, signal ? { signal } : {}).catch(() => {});
}

async function tryUndo(
  entry: Leftover,
  environment: Environment,
  sessionOf: (as: Leftover['as']) => Session,
  reach: Reachability,
  refused: RefusedCredentials | undefined,
): Promise<Omit<Undone, 'entry'>> {
  const { base, as } = entry;
  const { area, headerSet } = operation(entry.undo);
  const key = credentialKey(headerSet, as === 'friend');
  const untried = reach.isSilent(area)
    ? `${base} did not respond before`
    : refused?.isWaiting(key, area) && `${key} is refused`;
  const obstacle = whyNot(entry, environment) || (untried && `${entry.undo}: not tried, because ${untried}`);
  if (obstacle) return { done: false, text: obstacle };
  try {
    return await undo(entry, environment, sessionOf(entry.as), reach);
  } catch (error) {
    // A fault of the suite means that the undo was not sent.
    if (error instanceof SuiteFault && !entry.isUndoSent) entry.note('notUndone');
    if (error instanceof SuiteError) return { done: false, text: error.message };
    throw error;
  }
}

function whyNot(entry: Leftover, environment: Environment): string | undefined {
  const { undo, base, as, userId, clientId } = entry;
  const { addresses, name } = environment;
  if (addresses[operation(undo).area].href !== base) return `made at ${base}, which is no longer an address of ${name}`;
  if (environment[as].userId !== userId) return `made as ${userId}, who is no longer the ${as} of ${name}`;
  if (!isOfCaller(entry, { userId, clientId: environment.caller.clientId }))
    return `made as ${clientId}, which is no longer the CLIENT_ID of ${name}`;
  return undefined;
}

async function undo(
  entry: Leftover,
  environment: Environment,
  session: Session,
  reach: Reachability,
): Promise<Omit<Undone, 'entry'>> {
  const { shownBy, undo: ownUndo } = operation(entry.change);
  if (entry.isUndone && (await readForgotten(session, environment, entry))?.isShown === false)
    return { done: true, text: `${entry.undo}: accepted before, and ${shownBy} no longer shows the change` };
  entry.note('undoing');
  const { isDone, undone, isAccepted, shownIn } = await undoChange(entry, session, environment, () =>
    entry.note('undone'),
  );
  const { response, failure } = undone;
  reach.note([undone], true);
  const state = undoStateAfter(undone, environment);
  if (!isDone && state) entry.note(state);
  if (isDone && undone.operation !== entry.undo)
    return { done: true, text: `${entry.undo}: not needed, because ${undone.operation} shows the change` };
  const seen = response ? responseLine(response, 80) : `no response: ${failure?.reason ?? 'unknown'}`;
  const text = `${entry.undo}: ${isAccepted ? response?.status : seen}`;
  if (shownIn) return { done: false, text: `${text}, but ${shownIn.list.operation} still shows the change` };
  const isOdd = !isDone && !isAccepted && response && response.status < 500 && entry.isAccepted;
  const isUnknown = isAccepted && !entry.isAccepted && ownUndo && !shownBy;
  const more = isOdd
    ? `, although ${entry.change} was accepted before`
    : isUnknown
      ? `; if a person had made the same change before the run, that is undone, too (no list shows it)`
      : '';
  return { done: isDone, text: `${text}${more}` };
}

/**
 * A summary, and below it a line for each outcome. With `forget`, it says that the journals no longer hold the changes that could not be
 * undone.
 */
export function describeUndone(environment: string, undone: readonly Undone[], forget = false): string {
  const done = undone.filter((each) => each.done).length;
  const left = counted(undone.length - done, 'change');
  const parts = [
    ...(done > 0 ? [`undid ${counted(done, 'change')} left behind by an earlier run`] : []),
    ...(done < undone.length
      ? [forget ? `forgot ${left} that could not be undone` : `${left} could not be undone`]
      : []),
  ];
  return [`${environment}: ${parts.join('; ')}.`, ...linesOf(undone, forget ? 'forgot' : 'LEFT  ')].join('\n');
}

/** The first sentence after a stop: how many changes are left to undo. */
export function stoppedBefore(name: string, left: number): string {
  return `${name}: stopped before it had undone ${counted(left, 'change')}.`;
}

/**
 * The message of a run that was stopped. Lists the changes whose undo was not sent any more, or may have arrived before the change itself.
 */
export function stoppedText(name: string, all: readonly Leftover[]): string {
  const textOf = ({ isUndoSent }: Leftover) =>
    isUndoSent ? 'undone once, but the change may arrive after its undo' : 'not undone before the run was stopped';
  const left = all.map((entry) => ({ entry, done: false, text: textOf(entry) }));
  const next = `The next run continues, or run \`npx sextant undo --env ${name}\`.`;
  return describeLeft(`${stoppedBefore(name, all.length)} ${next}`, left);
}

/** Lists the changes that a run could not undo at its end. */
export function describeLeft(summary: string, left: readonly Undone[]): string {
  return [summary, ...linesOf(left)].join('\n');
}

/** One line for each group of equal changes, because many scenarios may make the same change. */
function linesOf(undone: readonly Undone[], label = 'LEFT  '): string[] {
  const alike = Map.groupBy(undone, ({ entry: { change, args, userId }, done, text }) =>
    JSON.stringify([change, args, userId, done, text]),
  );
  return [...alike.values()].map((all) => {
    const [{ entry, done, text }] = all as [Undone, ...Undone[]];
    const { change, args, userId, at } = entry;
    const [times, since] = all.length > 1 ? [`${all.length} × `, 'first at '] : ['', ''];
    const what = `${times}${change} ${excerpt(JSON.stringify(args), 80)} of ${userId}`;
    return `  ${done ? 'undone' : label}  ${what}, ${since}${at}: ${text}`;
  });
}
