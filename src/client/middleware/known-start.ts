import { type CallableId, operation as entryOf, type OperationId } from '../../spec/index.ts';
import type { Exchange } from '../http/exchange.ts';
import { entryCount } from '../json/json.ts';
import { RawBody } from '../requests/prepare.ts';
import { type Claim, SuiteFault } from '../verdict/category.ts';
import { ExpectationError, isNoEntries, isPlainRefusal } from '../verdict/expectation-error.ts';
import { foundNothing, hadNoEffect, judge, refusedAlike } from '../verdict/judge.ts';
import {
  asRestoration,
  isPutBack,
  type Middleware,
  type Next,
  type OutgoingCall,
  type Recorded,
  type Scope,
  undoes,
} from './middleware.ts';
import { idIn, readForgotten, readShown } from './shown-change.ts';

/**
 * Lets a scenario begin from a known start: what it is about to do and what is so already is undone first, and said so. What was there
 * before and isn't left by a run is there again at the end. Where the undo is refused, or accepted without an effect, that is
 * its own operation's failure, not the change's. At the end, each change of the scenario must be seen to be undone.
 */
export function knownStart(scope: Scope): Middleware {
  const [begun, accepted, settled] = [new Set<string>(), new Set<string>(), new Set<string>()];
  /** By user: what is done last of all, after the scenario's own clean-up. */
  const atEnd = new Map<string, (() => Promise<void>)[]>();
  return async (call, next) => {
    if (!call.operation.undo || call.args instanceof RawBody || isPutBack(call.args)) return next(call);
    const { userId } = call.session.caller;
    const last = atEnd.get(userId) ?? [];
    if (!atEnd.has(userId) && scope.roleOf(userId))
      scope.defer(async () => {
        try {
          await seeUndone(call, scope);
        } finally {
          for (const task of last) await task();
        }
      });
    atEnd.set(userId, last);
    const own = startOf(call, next, scope, last);
    const key = JSON.stringify(own.change);
    const isFirst = !begun.has(key);
    begun.add(key);
    if (isFirst) await own.clear();
    const exchange = await next(call);
    if (judge(exchange, 'success', scope.target.successWhen) === undefined) accepted.add(key);
    const isValid = call.changes.size === 0 && call.expected === 'success' && !settled.has(key);
    if (!isValid || !mayMeanThere(exchange, scope) || !(own.isLasting || accepted.has(key))) return exchange;
    settled.add(key);
    return own.again(exchange);
  };
}

/** Whether a refusal may say that the change is made already. What is not found, or no method, says something else. */
function mayMeanThere(exchange: Exchange, { target: { successWhen } }: Scope): boolean {
  return isPlainRefusal(exchange, successWhen) && ![404, 405, 410].includes(exchange.response?.status ?? 0);
}

/** Brings about, for one change, that it is not made yet. The tasks of `last` are done after it was seen that all is undone. */
function startOf(call: OutgoingCall, next: Next, scope: Scope, last: (() => Promise<void>)[]) {
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
  async function clear(): Promise<void> {
    // A list that lags behind shows for a while what is gone already.
    if (!isLasting || !(await readShown(...read))?.isShown || !(await readForgotten(...read))?.isShown) return;
    const { redo, undone } = await undo();
    const still = isThrottled(undone) ? undefined : await readForgotten(...read);
    if (mayBeDone(undone) && !still?.isShown) return said(redo);
    forget(redo);
    if (!still?.isShown) return;
    const list = still.list.operation;
    throw undoFailure(undone, scope, `${list} shows it before and after`, list);
  }

  /** After a refusal: the change may be there already, so it is undone once and made again. */
  async function again(refused: Exchange): Promise<Exchange> {
    // What a list doesn't show nobody made: it is refused for another reason, and to make it again would be the suite's own doing.
    const shown = await readShown(...read);
    if (shown?.isShown === false && isOnePage(shown.list)) return refused;
    const { redo, undone } = await undo();
    if (isAccepted(undone)) {
      const repeated = await next(call);
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
  }

  /**
   * Whether the refusal of the change shows that it is there: a list says so, or the service refuses what nobody can have changed in another
   * way, if at all. What refuses everything alike is broken.
   */
  async function isThere(refused: Exchange): Promise<boolean> {
    const listed = await readForgotten(...read);
    if (listed) return listed.isShown;
    const invented = Object.fromEntries(
      Object.entries(call.args as object).map(([name, value]) => [name, scope.invent(String(value))]),
    );
    // Like every other change, it is recorded, and undone at the end.
    const control = await call.session.exchange(call.operation, invented, new Map(), 'decided');
    scope.defer(() => call.session.exchange(undoing, invented, new Map(), 'settled'));
    if (judge(control, 'decided', successWhen)) return false;
    return !isPlainRefusal(control, successWhen) || !refusedAlike(control, refused);
  }

  async function undo(): Promise<{ readonly undone: Exchange; readonly redo: Recorded | undefined }> {
    const redo = await keep();
    try {
      return { redo, undone: await call.session.exchange(undoing, call.args, new Map(), 'settled') };
    } catch (error) {
      if (error instanceof SuiteFault) forget(redo);
      throw error;
    }
  }

  /** Records what must be made again at the end, before it is undone; `undefined` for what a run left. */
  async function keep(): Promise<Recorded | undefined> {
    const as = roleOf(change.userId);
    const isOurs = [...undoLog.sent(), ...undoLog.underWay()].some((each) => undoes(change, each));
    return as && !isOurs ? undoLog.add({ ...change, change: change.undo, undo: change.change, as }) : undefined;
  }

  function forget(redo: Recorded | undefined): void {
    if (redo) undoLog.strike(redo.id, 'not undone');
  }

  function said(redo: Recorded | undefined): void {
    const what = `${change.change} ${JSON.stringify(change.args)} of ${change.userId} was so before: undone for the scenario`;
    scope.noted({ kind: 'start', text: redo ? `${what}, and made again at its end` : what });
    makeAgain(redo, () => false);
  }

  /** `mayBeRefused`: by then it may be there all the same. */
  function makeAgain(redo: Recorded | undefined, mayBeRefused: (exchange: Exchange) => boolean): void {
    if (!redo) return;
    last.push(async () => {
      const restored = asRestoration({ ...(change.args as object) });
      const exchange = await call.session.exchange(call.operation, restored, new Map(), 'settled');
      const claim = `assumed: what was there before the scenario can be made again` as const;
      const shortfall = judge(exchange, 'success', successWhen, claim);
      if (shortfall && !mayBeRefused(exchange)) throw new ExpectationError(exchange, shortfall);
      if ((exchange.tampered ?? 'done') === 'done') undoLog.strike(redo.id, 'made again');
      if (shortfall) return;
      // An undo that was not seen to work would take it away again.
      for (const each of undoLog.sent()) if (undoes(change, each)) undoLog.strike(each.id, 'made again');
    });
  }

  return { change, isLasting, clear, again };
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

/** At the end of a scenario, what it changed must be undone, and gone from the list that shows it. */
async function seeUndone({ session }: OutgoingCall, scope: Scope): Promise<void> {
  const { target, undoLog } = scope;
  const { userId } = session.caller;
  const own = () =>
    undoLog.sent().filter((each) => each.by === 'this scenario' && each.isAccepted && each.userId === userId);
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
