import {
  type CallingSession,
  type Claim,
  type Exchange,
  ExpectationError,
  entryCount,
  foundNothing,
  hadNoEffect,
  idIn,
  isNoEntries,
  isPlainRefusal,
  judge,
  type Next,
  type OutgoingCall,
  RawBody,
  refusedAlike,
  SuiteFault,
} from '../../client/index.ts';
import {
  type AreaId,
  type CallableId,
  operation as entryOf,
  type Operation,
  type OperationId,
  operationIds,
  requestFields,
} from '../../spec/index.ts';
import { asRestoration, isPutBack, type Recorded, type Scope, undoes } from './scope.ts';
import { readForgotten, readShown, shows } from './shown-change.ts';

/** A change that a scenario is about to make, or has made. */
type Change = Pick<OutgoingCall, 'operation' | 'args' | 'session'>;

/**
 * Lets a scenario begin from a known start: what lists show of its users is undone before its body, and said so. What was there before and
 * isn't left by a run is there again at the end. Where the undo is refused, or accepted without an effect, that is its own operation's
 * failure, not the change's. At the end, each change of the scenario must be seen to be undone.
 */
export class KnownStart {
  readonly #scope: Scope;
  /** What is done last of all, after the scenario's own clean-up. */
  readonly #last: (() => Promise<unknown>)[] = [];
  readonly #accepted = new Set<string>();
  readonly #settled = new Set<string>();
  /** The changes that this scenario has sent before. */
  readonly #sent = new Set<string>();
  /** By user. */
  readonly #sessions = new Map<string, CallingSession>();

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** Undoes what lists of these areas show of the users with `ids`, as the user of `session`. @throws ExpectationError */
  async begin(session: CallingSession, areas: readonly AreaId[], ids: readonly string[]): Promise<void> {
    const { target, roleOf, step } = this.#scope;
    const { userId } = session.caller;
    if (!roleOf(userId) || !target.allowedEffects.has('reversible')) return;
    const listed = operationIds
      .map((id) => entryOf(id))
      .filter(({ undo, shownBy, area }) => undo && shownBy && areas.includes(area));
    for (const operation of listed)
      await step(
        'start',
        `${operation.shownBy} as ${userId}, which must name none of the scenario's users`,
        async () => {
          const [field = ''] = requestFields(operation);
          const found = await readShown(session, target, { change: operation.id as OperationId, args: {} });
          for (const id of found ? ids : []) {
            const args = { [field]: id };
            if (found && shows(found.list, args)) await this.#startOf({ operation, args, session }, undefined).clear();
          }
        },
      );
  }

  /** After a call: where a change is refused and no list shows that it isn't made, one undo and one repeat decide. */
  async settled(call: OutgoingCall, exchange: Exchange, pass: Next): Promise<Exchange> {
    const { operation, args, session, expected, changes } = call;
    if (!operation.undo || args instanceof RawBody || isPutBack(args)) return exchange;
    const { userId } = session.caller;
    if (this.#scope.roleOf(userId)) this.#sessions.set(userId, session);
    const own = this.#startOf(call, pass);
    const key = JSON.stringify(own.change);
    if (judge(exchange, 'success', this.#scope.target.successWhen) === undefined) this.#accepted.add(key);
    // Whatever the first one was sent for, it meets what was there before the scenario.
    const isFirst = !this.#sent.has(key);
    this.#sent.add(key);
    const isValid = changes.size === 0 && (expected === 'success' || isFirst) && !this.#settled.has(key);
    if (!isValid || !mayMeanThere(exchange, this.#scope) || !(own.isLasting || this.#accepted.has(key)))
      return exchange;
    this.#settled.add(key);
    return own.again(exchange);
  }

  /** Sees that all is undone, and makes again what was there before. Returns what went wrong. */
  async end(): Promise<unknown[]> {
    const errors: unknown[] = [];
    const tasks = [
      ...[...this.#sessions.values()].map((session) => () => this.#seeUndone(session)),
      ...this.#last.splice(0),
    ];
    for (const task of tasks) await task().catch((error: unknown) => void errors.push(error));
    return errors;
  }

  async #seeUndone(session: CallingSession): Promise<void> {
    const { userId } = session.caller;
    if (changesOf(userId, this.#scope).length === 0) return;
    const what = `what the scenario changed as ${userId}, which must be gone`;
    await this.#scope.step('end', what, () => seeUndone(session, this.#scope));
  }

  /** Brings about, for one change, that it is not made yet. What was there before is made again at the end, when all else was seen to be undone. */
  #startOf(call: Change, pass: Next | undefined) {
    const scope = this.#scope;
    const last = this.#last;
    const send = (operation: Operation, args: unknown, expected: OutgoingCall['expected']): Promise<Exchange> => {
      const changes = new Map<string, string | undefined>();
      // Inside a call of the body, what it sends ends with that call.
      return pass
        ? pass({ operation, args, changes, expected, session: call.session })
        : call.session.exchange(operation, args, changes, expected);
    };
    const undoing = entryOf(call.operation.undo as OperationId);
    const { target, undoLog, roleOf } = scope;
    const { successWhen, addresses } = target;
    const change = {
      change: call.operation.id as OperationId,
      undo: undoing.id as OperationId,
      args: call.args,
      userId: call.session.caller.userId,
      base: addresses[call.operation.area].href,
    };
    const read = [call.session, target, change] as const;
    const isAccepted = (exchange: Exchange) => judge(exchange, 'success', successWhen) === undefined;
    /** A failure, or no response, doesn't say that nothing was undone. */
    const mayBeDone = (undone: Exchange) => isAccepted(undone) || !hadNoEffect(undone, successWhen);

    /** The change may have been made before this scenario: a fresh user made none, and nobody one of an invented id. */
    const isLasting = roleOf(change.userId) !== undefined && !scope.isInvented(idIn(change.args) ?? '');

    /** Undoes what a list shows before the change is made. */
    const clear = async (): Promise<void> => {
      // A list that lags behind shows for a while what is gone already.
      if (!isLasting || !(await readForgotten(...read))?.isShown) return;
      const { redo, undone } = await undo();
      const still = isThrottled(undone) ? undefined : await readForgotten(...read);
      if (mayBeDone(undone) && !still?.isShown) return said(redo);
      forget(redo);
      if (!still?.isShown) return;
      const list = still.list.operation;
      throw undoFailure(undone, scope, `${list} shows it before and after`, list);
    };

    /** After a refusal: the change may be there already, so it is undone once and made again. */
    const again = async (refused: Exchange): Promise<Exchange> => {
      // What a list doesn't show nobody made: it is refused for another reason, and to make it again would be the suite's own doing.
      const shown = await readShown(...read);
      if (shown?.isShown === false && isOnePage(shown.list)) return refused;
      return scope.step(
        'body',
        `${change.change} was refused: one undo and one repeat decide whether it was made already`,
        () => settle(refused),
      );
    };

    const settle = async (refused: Exchange): Promise<Exchange> => {
      const { redo, undone } = await undo();
      if (isAccepted(undone)) {
        const repeated = await send(call.operation, call.args, 'success');
        if (!isPlainRefusal(repeated, successWhen)) {
          said(redo);
          return repeated;
        }
      }
      if (isAccepted(undone) || !mayBeDone(undone)) forget(redo);
      else makeAgain(redo, (exchange) => isPlainRefusal(exchange, successWhen));
      if (!isThrottled(undone) && (await isThere(refused))) {
        const when = isAccepted(undone) ? 'afterwards' : 'too';
        const why = `${call.operation.id} of the same is refused ${when} (${refused.response?.status})`;
        throw undoFailure(undone, scope, why);
      }
      return refused;
    };

    /**
     * Whether the refusal of the change shows that it is there: a list says so, or the service refuses what nobody can have changed in another
     * way, if at all. What refuses everything alike is broken.
     */
    const isThere = async (refused: Exchange): Promise<boolean> => {
      const listed = await readForgotten(...read);
      if (listed) return listed.isShown;
      const invented = Object.fromEntries(
        Object.entries(call.args as object).map(([name, value]) => [name, scope.invent(String(value))]),
      );
      // Like every other change, it is recorded, and undone at the end.
      const control = await send(call.operation, invented, 'decided');
      last.push(() => call.session.exchange(undoing, invented, new Map(), 'settled'));
      if (judge(control, 'decided', successWhen)) return false;
      return !isPlainRefusal(control, successWhen) || !refusedAlike(control, refused);
    };

    const undo = async (): Promise<{ readonly undone: Exchange; readonly redo: Recorded | undefined }> => {
      const redo = await keep();
      try {
        return { redo, undone: await send(undoing, call.args, 'settled') };
      } catch (error) {
        if (error instanceof SuiteFault) forget(redo);
        throw error;
      }
    };

    /** Records what must be made again at the end, before it is undone; `undefined` for what a run left. */
    const keep = async (): Promise<Recorded | undefined> => {
      const as = roleOf(change.userId);
      const isOurs = [...undoLog.sent(), ...undoLog.underWay()].some((each) => undoes(change, each));
      return as && !isOurs ? undoLog.add({ ...change, change: change.undo, undo: change.change, as }) : undefined;
    };

    const forget = (redo: Recorded | undefined): void => {
      if (redo) undoLog.strike(redo.id, 'not undone');
    };

    const said = (redo: Recorded | undefined): void => {
      const what = `${change.change} ${JSON.stringify(change.args)} of ${change.userId} was so before: undone for the scenario`;
      scope.noted({ kind: 'start', text: redo ? `${what}, and made again at its end` : what });
      makeAgain(redo, () => false);
    };

    /** `mayBeRefused`: by then it may be there all the same. */
    const makeAgain = (redo: Recorded | undefined, mayBeRefused: (exchange: Exchange) => boolean): void => {
      if (!redo) return;
      last.push(() =>
        scope.step(
          'end',
          `${change.change} ${JSON.stringify(change.args)} of ${change.userId} again, as before`,
          async () => {
            const restored = asRestoration({ ...(change.args as object) });
            const exchange = await call.session.exchange(call.operation, restored, new Map(), 'settled');
            const claim = `assumed: what was there before the scenario can be made again` as const;
            const shortfall = judge(exchange, 'success', successWhen, claim);
            if (shortfall && !mayBeRefused(exchange)) throw new ExpectationError(exchange, shortfall);
            if ((exchange.tampered ?? 'done') === 'done') undoLog.strike(redo.id, 'made again');
            if (shortfall) return;
            // An undo that was not seen to work would take it away again.
            for (const each of undoLog.sent()) if (undoes(change, each)) undoLog.strike(each.id, 'made again');
          },
        ),
      );
    };

    return { change, isLasting, clear, again };
  }
}

/** Whether a refusal may say that the change is made already. What is not found, or no method, says something else. */
function mayMeanThere(exchange: Exchange, { target: { successWhen } }: Scope): boolean {
  return isPlainRefusal(exchange, successWhen) && ![404, 405, 410].includes(exchange.response?.status ?? 0);
}

/** An undo that was refused, or accepted without effect: a failure of its operation. */
function undoFailure(undone: Exchange, { target }: Scope, why: string, list?: CallableId): ExpectationError {
  const { operation: undo, response } = undone;
  const claim: Claim = `assumed: ${entryOf(undo as OperationId).title.toLowerCase()} undoes what was done`;
  const shortfall = judge(undone, 'success', target.successWhen, claim);
  const observed = shortfall?.observed ?? `${undo} answers ${response?.status}, and has no effect`;
  const unseen = list && !shortfall ? { unseenIn: list } : {};
  const text = `${observed}: ${why}`;
  return new ExpectationError(undone, { verdict: 'failed', claim, ...shortfall, observed: text, ...unseen });
}

/** Fewer entries than any service has on a page: what isn't among them is not on a later one. */
const SHORT = 10;

function isOnePage(list: Exchange): boolean {
  const json = list.response?.body.json;
  return isNoEntries(list) || (json?.ok === true && (entryCount(json.value) ?? SHORT) < SHORT);
}

function isThrottled({ response }: Exchange): boolean {
  return response?.status === 429;
}

/** The changes of a scenario that nothing has shown to be undone. */
function changesOf(userId: string, { undoLog }: Scope) {
  return undoLog.sent().filter((each) => each.by === 'this scenario' && each.isAccepted && each.userId === userId);
}

/** At the end of a scenario, what it changed must be undone, and gone from the list that shows it. */
async function seeUndone(session: CallingSession, scope: Scope): Promise<void> {
  const { target } = scope;
  const { userId } = session.caller;
  const own = () => changesOf(userId, scope);
  for (const { change, undo, args } of own().filter(({ isUndone }) => !isUndone)) {
    const undone = await session.exchange(entryOf(undo), args, new Map(), 'settled');
    const isAccepted = judge(undone, 'success', target.successWhen) === undefined;
    if (!isAccepted && !foundNothing(undone) && !isThrottled(undone))
      throw undoFailure(undone, scope, `${change} ${JSON.stringify(args)} of ${userId} was accepted before`);
  }
  for (const each of own()) {
    // One list shows them all.
    if (!own().some(({ id, isUndone }) => id === each.id && isUndone)) continue;
    const found = await readForgotten(session, target, each);
    if (!found?.isShown) continue;
    const claim: Claim = `documented: ${found.list.operation} no longer mentions what ${each.undo} took back`;
    const observed = `${JSON.stringify(idIn(each.args))} is still there after ${each.undo} was accepted`;
    throw new ExpectationError(found.list, { verdict: 'failed', claim, observed });
  }
}
