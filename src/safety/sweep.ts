import type { Session } from '../call/index.ts';
import { counted, type Environment } from '../environment/index.ts';
import { type Exchange, isUnconnected } from '../http/index.ts';
import { type AreaId, operation } from '../service/index.ts';
import { excerpt, responseLine, SuiteError } from '../verdict/index.ts';
import { type Leftover, leftoversOf, removeJournals } from './leftovers.ts';
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
  /** Undoes what was changed in these areas; absent: in all. */
  readonly areas?: readonly AreaId[] | undefined;
  /** Leaves a change that may still be on its way in the journal, undone or not: it could arrive after its undo. */
  readonly keepsUnanswered?: boolean;
  /** Also removes what can't be undone. */
  readonly forget?: boolean;
  /** Base addresses, or areas of one, whose last request had no response: each undo there would wait as long. Several sweeps may share them. */
  readonly silentAddresses?: Set<string> | undefined;
}

/**
 * Undoes the changes that finished scenarios and runs left behind, newest first. A change that can't be undone stays in
 * its journal. The caller must hold the lock of the users.
 */
export async function sweep(environment: Environment, options: SweepOptions = {}): Promise<Undone[]> {
  const { areas, forget = false, keepsUnanswered = false, signal } = options;
  const { silentAddresses = new Set<string>() } = options;
  removeJournals(environment);
  const isWanted = ({ undo }: Leftover) => !areas || areas.includes(operation(undo).area);
  const all = leftoversOf(environment).filter(isWanted);
  if (all.length === 0 && !forget) return [];
  const sessions = undoSessions(environment, options);
  const undone: Undone[] = [];
  // Equal changes have one outcome.
  const outcomes = new Map<string, Omit<Undone, 'entry'>>();
  try {
    for (const entry of all) {
      if (signal?.aborted) break;
      const { id, undo, args, userId, base, isAccepted } = entry;
      const key = JSON.stringify([undo, args, userId, base, isAccepted]);
      const outcome = outcomes.get(key) ?? (await outcomeOf(entry, environment, sessions.of, silentAddresses));
      outcomes.set(key, outcome);
      if (!undone.some((each) => each.entry.id === id)) undone.push({ entry, ...outcome });
      const age = Date.now() - Date.parse(entry.at);
      const isOnItsWay = keepsUnanswered && !isAccepted && age < environment.requestTimeoutMs;
      if (forget) entry.strike('forgotten');
      else if (outcome.done && !isOnItsWay) entry.strike('undone');
    }
  } finally {
    await sessions.end();
  }
  if (forget) removeJournals(environment, true);
  return undone;
}

async function outcomeOf(
  entry: Leftover,
  environment: Environment,
  sessionOf: (as: Leftover['as']) => Session,
  silent: Set<string>,
): Promise<Omit<Undone, 'entry'>> {
  const { base } = entry;
  const isSilent = placesOf(operation(entry.undo).area, base).some((place) => silent.has(place));
  const why = isSilent && `${entry.undo}: not tried, because ${base} did not respond before`;
  const obstacle = whyNot(entry, environment) || why;
  if (obstacle) return { done: false, text: obstacle };
  try {
    return await undo(entry, environment, sessionOf(entry.as), silent);
  } catch (error) {
    if (error instanceof SuiteError) return { done: false, text: error.message };
    throw error;
  }
}

function whyNot({ undo, base, as, userId }: Leftover, environment: Environment): string | undefined {
  const { addresses, name } = environment;
  if (addresses[operation(undo).area].href !== base) return `made at ${base}, which is no longer an address of ${name}`;
  if (environment[as].userId !== userId) return `made as ${userId}, who is no longer the ${as} of ${name}`;
  return undefined;
}

async function undo(
  entry: Leftover,
  environment: Environment,
  session: Session,
  silent: Set<string>,
): Promise<Omit<Undone, 'entry'>> {
  const { shownBy } = operation(entry.change);
  if (entry.isUndone && (await readForgotten(session, environment, entry))?.isShown === false)
    return { done: true, text: `${entry.undo}: accepted before, and ${shownBy} no longer shows it` };
  const { isDone, undone, isAccepted, shownIn } = await undoChange(entry, session, environment, () => entry.undone());
  const { response, failure } = undone;
  noteAddress(silent, entry.base, undone);
  const seen = response ? responseLine(response, 80) : `no response: ${failure?.reason ?? 'unknown'}`;
  const text = `${entry.undo}: ${isAccepted ? response?.status : seen}`;
  if (shownIn) return { done: false, text: `${text}, and ${shownIn.operation} still shows it` };
  const isOdd = !isDone && !isAccepted && response && response.status < 500 && entry.isAccepted;
  return { done: isDone, text: isOdd ? `${text}, though ${entry.change} was accepted before` : text };
}

/** Takes in a request to a base address. */
export function noteAddress(silent: Set<string>, base: string, exchange: Exchange): void {
  const { response, failure, area } = exchange;
  const [address, ofArea] = placesOf(area, base);
  if (response) for (const place of [address, ofArea]) silent.delete(place);
  // A run that was stopped says nothing about the address.
  else if (failure?.code !== 'ABORTED' && failure?.side !== 'ours')
    silent.add(isUnconnected(exchange) ? address : ofArea);
}

/** Behind an address that accepts connections, one area can be silent alone. */
function placesOf(area: AreaId, base: string): [address: string, ofArea: string] {
  return [base, `${area} ${base}`];
}

/** The outcomes of leftovers, one line each, below a summary; with `forget`, the journal no longer has those that are left. */
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

/** For a run that was stopped: the undo of a change that was on its way is not sent any more. */
export function stoppedText(name: string, all: readonly Leftover[]): string {
  const left = all.map((entry) => ({ entry, done: false, text: 'not undone before the run was stopped' }));
  const next = `The next run begins with that, or \`npx sextant undo --env ${name}\`.`;
  return describeLeft(`${name}: stopped, with ${counted(all.length, 'change')} to undo. ${next}`, left);
}

/** Lists the changes that a run could not undo at its end. */
export function describeLeft(summary: string, left: readonly Undone[]): string {
  return [summary, ...linesOf(left)].join('\n');
}

/** One line for changes that are alike: many scenarios make the same one. */
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
