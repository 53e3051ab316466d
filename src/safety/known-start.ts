import { type CallingSession, idIn, type Next, type OutgoingCall, RawBody } from '../call/index.ts';
import { type Exchange, entryCount } from '../http/index.ts';
import {
  type AreaId,
  type CallableId,
  operation as entryOf,
  isCompleteList,
  type OperationId,
  operationIds,
  requestFields,
} from '../service/index.ts';
import {
  type Claim,
  ExpectationError,
  outcomeOf,
  type ResponseOutcome,
  refusedAlike,
  type ServiceUnderTest,
  SuiteFault,
} from '../verdict/index.ts';
import { isRedo, type Pending, type Recorded, undoes } from './changes.ts';
import { record } from './recorded-changes.ts';
import { isRestoration, type Scope } from './scope.ts';
import { readForgotten, readShown, type Shown, shows } from './shown-change.ts';
import { type UndoOutcome, undoChange } from './undo-change.ts';

/** A change that a scenario is about to make, or has made. */
type Change = Pick<OutgoingCall, 'operation' | 'args' | 'session'>;

/** The undo of a change that was made before the scenario. */
interface Undone {
  readonly undone: Exchange;
  readonly outcome: ResponseOutcome;
  /** The undo may have happened: it was accepted, it failed, or it had no response. */
  readonly mayBeDone: boolean;
  /** The record from which the end of the scenario re-creates the change; `undefined` if the suite itself had made the change. */
  readonly redo: Recorded | undefined;
}

/**
 * Gives a scenario a known start. Before the body, it undoes earlier changes of the scenario's users that lists show, and notes them in the
 * result. At the end, it re-creates those that are in no journal, because a person may have made them. It also checks that each change of
 * the scenario is undone. An undo that is refused or has no effect is a failure of the undo operation, not of the change.
 */
export class KnownStart {
  readonly #scope: Scope;
  readonly #accepted = new Set<string>();
  readonly #settled = new Set<string>();
  /** The lists that were read before the body. Each is read once for a user, because later it shows the scenario's own changes. */
  readonly #begun = new Set<string>();
  /** The changes that this scenario has sent so far. */
  readonly #sent = new Set<string>();
  /**
   * Ids of the records of earlier changes that were certainly undone for this scenario. If the service then refuses to re-create such a
   * change, this refusal is a failure.
   */
  readonly #isGone = new Set<string>();

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** Undoes, as the user of `session`, the changes to the users with `ids` that lists of these areas show. @throws ExpectationError */
  async begin(session: CallingSession, areas: readonly AreaId[], ids: readonly string[]): Promise<void> {
    const { target, roleOf, isInvented, step, lists } = this.#scope;
    const { userId } = session.caller;
    if (!roleOf(userId) || !target.allowedEffects.has('reversible')) return;
    const listed = operationIds
      .map((id) => entryOf(id))
      .filter(({ undo, shownBy, area }) => undo && shownBy && areas.includes(area));
    for (const operation of listed) {
      const list = `${userId} ${operation.shownBy}`;
      if (this.#begun.has(list)) continue;
      this.#begun.add(list);
      const what = `check that ${operation.shownBy} of ${userId} names none of the scenario's users`;
      await step('start', what, async () => {
        const [field = ''] = requestFields(operation);
        const change = { change: operation.id as OperationId, args: {} };
        const found = lists?.of(userId, operation.shownBy) ?? (await readShown(session, target, change))?.list;
        const given = ids.filter((id) => !isInvented(id)).map((id) => ({ [field]: id }));
        for (const args of given.filter((each) => found && shows(found, each)))
          await this.#clear({ operation, args, session });
      });
    }
  }

  /**
   * Called after each call. A service may have refused a change because the change is made already. To find out, the suite undoes the
   * change and repeats the call once. If a list shows that the change isn't made, nothing more is sent.
   */
  async settled(call: OutgoingCall, exchange: Exchange, pass: Next): Promise<Exchange> {
    const { operation, args, session, expected, changes } = call;
    const { target, roleOf, isInvented, step } = this.#scope;
    if (!operation.undo || args instanceof RawBody || isRestoration(args)) return exchange;
    const key = JSON.stringify([operation.id, args, session.caller.userId]);
    if (outcomeOf(exchange, target.successWhen).isAccepted) this.#accepted.add(key);
    // If this is the first call with these arguments, an earlier change may be the reason for a refusal, even if the spec expects no
    // success.
    const isFirst = !this.#sent.has(key);
    this.#sent.add(key);
    const isValid = changes.size === 0 && (expected === 'success' || isFirst) && !this.#settled.has(key);
    // A fresh user has made no earlier change, and nobody has made one with an invented id.
    const isLasting = roleOf(session.caller.userId) !== undefined && !isInvented(idIn(args) ?? '');
    if (!isValid || !this.#mayMeanThere(exchange) || !(isLasting || this.#accepted.has(key))) return exchange;
    this.#settled.add(key);
    // If the list doesn't show the change, the refusal has another reason, and a repeat would make a change that nobody wanted.
    const shown = await readShown(session, target, this.#reversible(call));
    if (shown?.isShown === false && isOnePage(shown.list, target)) return exchange;
    const what = `${operation.id} was refused: one undo and one repeat show whether it was made before`;
    return step('body', what, () => this.#repeat(call, exchange, pass));
  }

  /**
   * Undoes the changes that the scenario made and didn't undo. Re-creates the earlier changes that were undone for the scenario. Restores profiles,
   * unless a later scenario does that. Returns the errors.
   */
  async end(): Promise<unknown[]> {
    const { journal, sessions, step, profiles } = this.#scope;
    const errors: unknown[] = [];
    const isToUndo = (each: Pending) =>
      isProfile(each) ? (profiles?.isLast ?? true) : each.isAccepted || isRedo(each);
    const byUser = Map.groupBy(journal.own().filter(isToUndo), ({ userId }) => userId);
    const ended = [...byUser].map(async ([userId, entries]) => {
      const session = sessions.get(userId);
      // The entry may be gone from the journal: the undo of another entry may have read a list that confirms this undo, too.
      for (const entry of entries) {
        if (!session || !journal.has(entry.id)) continue;
        const work = () => this.#undoAtEnd(entry, session);
        await step('end', atEnd(entry), work).catch((error: unknown) => void errors.push(error));
      }
    });
    await Promise.all(ended);
    return errors;
  }

  async #undoAtEnd(entry: Pending, session: CallingSession): Promise<void> {
    const { target, journal } = this.#scope;
    if (entry.isUndone) {
      const found = await readForgotten(session, target, entry);
      if (!found?.isShown) return;
      if (!entry.asSent) throw stillShown(entry, found);
    }
    const outcome = await undoChange(entry, session, target, () => journal.undone(entry.id));
    if (outcome.isDone && (outcome.undone.tampered ?? 'done') === 'done') journal.strike(entry.id, 'undone');
    // Removes from the journal the changes that are equal to the re-created one. No list has confirmed their undo, so a later run would
    // send it again, and so remove the re-created change.
    if (outcome.isAccepted && isRedo(entry))
      for (const each of journal.sent())
        if (undoes({ ...entry, undo: entry.change }, each)) journal.strike(each.id, 're-created');
    const failure = this.#failureAtEnd(entry, outcome);
    if (failure) throw failure;
  }

  #failureAtEnd(entry: Pending, { isAccepted, undone, shownIn }: UndoOutcome): ExpectationError | undefined {
    const { successWhen } = this.#scope.target;
    if (shownIn && !isProfile(entry)) return stillShown(entry, shownIn);
    if (shownIn) {
      const claim: Claim = 'assumed: a profile can be restored to its old values';
      const sentence = `${shownIn.list.operation} still shows what the suite wrote`;
      const observed = `after ${entry.undo} with the old values answered ${undone.response?.status}${shownIn.note ?? ''}`;
      return new ExpectationError(undone, { verdict: 'failed', claim, observed, sentence });
    }
    const outcome = outcomeOf(undone, successWhen);
    const shortfall = outcome.shortfall('success');
    if (isAccepted || !shortfall) return undefined;
    const fails = (when: string) =>
      new ExpectationError(undone, { ...shortfall, observed: `${shortfall.observed}, ${when}` });
    if (isProfile(entry)) return fails('when the suite restored the old profile');
    // If the earlier undo is uncertain, the change may still exist, so a refusal to re-create it is no failure.
    if (isRedo(entry)) {
      const mayBeThere = !this.#isGone.has(entry.id) && outcome.isPlainRefusal;
      return mayBeThere ? undefined : fails('when the suite re-created what was there before the scenario');
    }
    if (outcome.foundNothing || outcome.isThrottled) return undefined;
    return fails(`although ${entry.change} ${JSON.stringify(entry.args)} of ${entry.userId} was accepted before`);
  }

  /** Undoes a change that was made before the scenario, if a list shows it, so that the scenario can make the same change itself. */
  async #clear(change: Change): Promise<void> {
    const { target, journal } = this.#scope;
    const about = this.#reversible(change);
    const read = () => readForgotten(change.session, target, about);
    // `read` waits a while, because a list that lags behind may still show a change that is gone already.
    if (!(await read())?.isShown) return;
    const send: Next = ({ operation, args, changes, expected }) =>
      change.session.exchange(operation, args, changes, expected);
    const { redo, undone, outcome, mayBeDone } = await this.#undo(change, send);
    const still = outcome.isThrottled ? undefined : await read();
    if (mayBeDone && !still?.isShown) return this.#noteUndone(about, redo);
    if (redo) journal.strike(redo.id, 'not undone');
    if (!still?.isShown) return;
    const list = still.list.operation;
    throw undoFailure(undone, target, `${list} still shows ${idText(about.args)}${still.note ?? ''}`, list);
  }

  /** Undoes a refused change and repeats it once, because the change may have been made already. */
  async #repeat(call: OutgoingCall, refused: Exchange, pass: Next): Promise<Exchange> {
    const { target, journal } = this.#scope;
    const { redo, undone, outcome, mayBeDone } = await this.#undo(call, pass);
    const { isAccepted } = outcome;
    if (isAccepted) {
      const repeated = await pass({ ...call, changes: new Map(), expected: 'success' });
      if (!outcomeOf(repeated, target.successWhen).isPlainRefusal) {
        this.#noteUndone(this.#reversible(call), redo);
        return repeated;
      }
    }
    if (redo && (isAccepted || !mayBeDone)) journal.strike(redo.id, 'not undone');
    if (!outcome.isThrottled && (await this.#isThere(call, refused, pass))) {
      const when = isAccepted ? 'afterwards' : 'too';
      const why = `${call.operation.id} of ${idText(call.args)} is refused ${when} (${refused.response?.status})`;
      throw undoFailure(undone, target, why);
    }
    return refused;
  }

  /**
   * Whether the service refused the change because the change is made already. If a list can show the change, the list decides. Otherwise
   * the same change with invented ids is sent as a control, because nobody can have made that change before. If the service accepts the
   * control, or refuses it in another way, the change is made already. If the service refuses both requests in the same way, the refusal
   * has another reason.
   */
  async #isThere(call: OutgoingCall, refused: Exchange, pass: Next): Promise<boolean> {
    const { target, invent } = this.#scope;
    const listed = await readForgotten(call.session, target, this.#reversible(call));
    if (listed) return listed.isShown;
    const invented = Object.entries(call.args as object).map(([name, value]) => [name, invent(String(value))]);
    // The control is recorded and undone at the end, like every other change.
    const control = await pass({
      ...call,
      args: Object.fromEntries(invented),
      changes: new Map(),
      expected: 'decided',
    });
    const { isAccepted, isRefusal, isPlainRefusal } = outcomeOf(control, target.successWhen);
    return isAccepted || (isRefusal && !(isPlainRefusal && refusedAlike(control, refused)));
  }

  /**
   * Undoes a change that may have been made before the scenario. Unless the suite itself had made it, first records that the end of the
   * scenario must re-create it.
   */
  async #undo({ operation, args, session }: Change, send: Next): Promise<Undone> {
    const { target, journal, roleOf } = this.#scope;
    const change = this.#reversible({ operation, args, session });
    const as = roleOf(change.userId);
    const isOurs = [...journal.own(), ...journal.left()].some((each) => undoes(change, each));
    const isToRedo = as !== undefined && !isOurs;
    const opposite = { ...change, change: change.undo, undo: change.change };
    const redo = isToRedo ? (await record(this.#scope, session, { ...opposite, as })).entry : undefined;
    try {
      const undoing = entryOf(change.undo);
      const undone = await send({ operation: undoing, args, session, changes: new Map(), expected: 'settled' });
      const outcome = outcomeOf(undone, target.successWhen);
      return { redo, undone, outcome, mayBeDone: outcome.isAccepted || !outcome.hadNoEffect };
    } catch (error) {
      if (redo && error instanceof SuiteFault) journal.strike(redo.id, 'not undone');
      throw error;
    }
  }

  #reversible({ operation, args, session }: Change) {
    return {
      change: operation.id as OperationId,
      undo: operation.undo as OperationId,
      args,
      userId: session.caller.userId,
      clientId: session.caller.clientId,
      base: this.#scope.target.addresses[operation.area].href,
    };
  }

  #noteUndone({ change, args, userId }: Pick<Pending, 'change' | 'args' | 'userId'>, redo: Recorded | undefined): void {
    const what = `undid ${change} ${JSON.stringify(args)} of ${userId} from before the scenario`;
    this.#scope.noted({ kind: 'start', text: redo ? `${what}; the end of the scenario re-creates it` : what });
    if (redo) this.#isGone.add(redo.id);
  }

  /** Whether a refusal may mean that the change is made already. 404, 405 and 410 mean something else. */
  #mayMeanThere(exchange: Exchange): boolean {
    const { isPlainRefusal } = outcomeOf(exchange, this.#scope.target.successWhen);
    return isPlainRefusal && ![404, 405, 410].includes(exchange.response?.status ?? 0);
  }
}

function isProfile({ change }: Pending): boolean {
  return entryOf(change).restoredBy !== undefined;
}

function atEnd(entry: Pending): string {
  const { change, undo, args, userId } = entry;
  if (isProfile(entry)) return `restore the profile of ${userId}`;
  if (isRedo(entry)) return `re-create ${undo} ${JSON.stringify(args)} of ${userId}`;
  return entry.isUndone ? `check that ${change} of ${userId} is undone` : `undo ${change} of ${userId}`;
}

function idText(args: unknown): string {
  return JSON.stringify(idIn(args));
}

function stillShown({ undo, args }: Pending, { list, note = '' }: Shown): ExpectationError {
  const claim: Claim = `documented: ${list.operation} must no longer mention what ${undo} undid`;
  const sentence = `${list.operation} still shows what ${undo} undid`;
  const observed = `${idText(args)}, after ${undo} was accepted${note}`;
  return new ExpectationError(list, { verdict: 'failed', claim, observed, sentence });
}

/** The error of an undo that was refused, or accepted without effect. It is a failure of the undo operation. */
function undoFailure(
  undone: Exchange,
  { successWhen }: ServiceUnderTest,
  why: string,
  list?: CallableId,
): ExpectationError {
  const { operation: undo, response } = undone;
  const shortfall = outcomeOf(undone, successWhen).shortfall('success');
  if (shortfall)
    return new ExpectationError(undone, {
      ...shortfall,
      observed: `${shortfall.observed}, and ${why}`,
    });
  return new ExpectationError(undone, {
    verdict: 'failed',
    claim: `assumed: ${entryOf(undo as OperationId).title.toLowerCase()} undoes what was done`,
    sentence: `${undo} answers ${response?.status} and undoes nothing`,
    observed: why,
    ...(list ? { unseen: { change: undo, list } } : {}),
  });
}

function isOnePage(list: Exchange, { successWhen }: ServiceUnderTest): boolean {
  const { json } = list.response?.body ?? {};
  const isShort = json?.ok === true && isCompleteList(entryCount(json.value) ?? Number.POSITIVE_INFINITY);
  return isShort || outcomeOf(list, successWhen).isNoEntries;
}
