import { validateRequest } from '../../schemas/index.ts';
import { type CallingSession, type Ended, RawBody, type Stage, whyNotAllowed } from '../call/index.ts';
import { type Exchange, parsedJson } from '../http/index.ts';
import {
  operation as entryOf,
  type Operation,
  type OperationId,
  requestFields,
  undoneChange,
} from '../service/index.ts';
import { outcomeOf, type ServiceUnderTest, SuiteFault } from '../verdict/index.ts';
import { isOfCaller, type Pending, type Recorded, type ReversibleChange, undoes } from './changes.ts';
import { isRestoration, type Scope } from './scope.ts';
import { isKnownEmpty, shows } from './shown-change.ts';

/**
 * Records a change before it is sent. Call `ended` with its response. If the change had no effect, `ended` removes the record. @throws
 * JournalFailed
 */
export async function record(
  { journal, sessions, target }: Scope,
  session: CallingSession,
  given: ReversibleChange,
): Promise<{ readonly entry: Recorded; readonly ended: Ended }> {
  const entry = await journal.add({ ...given, clientId: session.caller.clientId });
  sessions.set(given.userId, session);
  const ended: Ended = (exchange, error) => {
    const outcome = exchange && outcomeOf(exchange, target.successWhen);
    if (outcome ? outcome.hadNoEffect : error instanceof SuiteFault) journal.strike(entry.id, 'not made');
    else journal.made(entry.id, outcome?.isDone === true, isAnswered(exchange));
  };
  return { entry, ended };
}

/** Whether a response means that the request has ended. If a gateway gave up waiting (408, 504), the service may still carry the request out. */
function isAnswered(exchange: Exchange | undefined): boolean {
  return exchange?.response !== undefined && ![408, 504].includes(exchange.response.status);
}

/**
 * The state of an undo that was not accepted, judged by its response. `undefined` without a response, because the undo may still be on its
 * way.
 */
export function undoStateAfter(exchange: Exchange, target: ServiceUnderTest): 'notUndone' | 'undoUnclear' | undefined {
  if (outcomeOf(exchange, target.successWhen).hadNoEffect) return 'notUndone';
  return exchange.response && 'undoUnclear';
}

/**
 * Records every reversible change before it is sent. Removes the record if the change was rejected, or once its undo is known to have
 * worked. If no list can show that, an accepted undo is enough. Changes of provisioned users are not recorded: these users are disposable,
 * and a later undo would need their tokens, which must not be in a file.
 */
export function recordedChanges(scope: Scope): Stage {
  const { target, journal, roleOf } = scope;
  return async (call) => {
    const { operation, args, changes, session } = call;
    const { userId, clientId } = session.caller;
    const as = roleOf(userId);
    if (!as || whyNotAllowed(operation.effect, target.allowedEffects)) return undefined;
    const base = target.addresses[operation.area].href;
    const id = operation.id as OperationId;

    // If the request is an undo, `covered` are the changes that it undoes: only changes whose requests have ended.
    const isChange = operation.undo !== undefined && !isRestoration(args);
    const request = { undo: id, args, userId, clientId, base };
    const isCovered = (each: Pending) => !each.isUndone && undoes(request, each) && !entryOf(each.change).restoredBy;
    const covered = isChange ? [] : journal.sent().filter(isCovered);
    // Copies of the entries before this undo, because the journal changes its entries.
    const undone = covered.map((each) => ({ ...each }));
    const isPlain = changes.size === 0;
    for (const each of isPlain ? undone : []) journal.undoState(each.id, 'undoing');
    const undo = isChange ? undoArguments(operation, args) : undefined;
    const recorded = undo && (await record(scope, session, { change: id, ...undo, as, userId, base }));

    return {
      ended: (exchange, error) => {
        recorded?.ended(exchange, error);
        if (!exchange && isPlain && error instanceof SuiteFault)
          for (const each of undone) journal.undoState(each.id, each.isUndoSent ? 'undoUnclear' : 'notUndone');
        if (!exchange) return;
        if (recorded && outcomeOf(exchange, target.successWhen).isDone) noteRecreated(journal, recorded.entry);
        if (isPlain || exchange.tampered === 'done') noteUndo(scope, undone, exchange);
        noteNotShown(scope, session, exchange);
      },
    };
  };
}

/**
 * Removes from the journal the changes that are equal to `entry`, if their undo was accepted but no list has confirmed it. `entry` has made
 * the change again, so no list can confirm that undo any more.
 */
function noteRecreated(journal: Scope['journal'], entry: Recorded): void {
  for (const each of journal.sent())
    if (each.isUndone && undoes(each, entry) && each.id !== entry.id) journal.strike(each.id, 're-created');
}

/** Removes from the journal the caller's changes whose undo was accepted, if the list in `exchange` no longer shows them. */
function noteNotShown({ target, journal }: Scope, session: CallingSession, exchange: Exchange): void {
  const isEmpty = isKnownEmpty(exchange, session, target);
  if (!isEmpty && !outcomeOf(exchange, target.successWhen).isDone) return;
  const listed = journal
    .sent()
    .filter((each) => each.isUndone && isOfCaller(each, session.caller) && isShownBy(each, exchange));
  for (const { id, args } of listed) if (isEmpty || !shows(exchange, args)) journal.strike(id, 'no longer shown');
}

function isShownBy({ change }: Pending, { operation }: Exchange): boolean {
  return entryOf(change).shownBy === operation;
}

function noteUndo({ target, journal }: Scope, undone: readonly Pending[], exchange: Exchange): void {
  const { isDone, foundNothing } = outcomeOf(exchange, target.successWhen);
  for (const { id, change, isUndoSent } of undone) {
    const isShown = entryOf(change).shownBy !== undefined;
    const isMade = journal.sent().some((each) => each.id === id && each.isAccepted);
    if (isDone && isShown) journal.undone(id);
    // If no list can show the change, an accepted undo is enough: another undo could remove a change that a person made in the meantime.
    else if (isDone) journal.strike(id, 'undone');
    // A response that means “nothing to undo” removes the entry only if no list shows this kind of change. If a list does, it may lag
    // behind now, so the entry stays, and the next run reads the list again.
    else if (foundNothing && !isShown && (isUndoSent || !isMade)) journal.strike(id, 'nothing to undo');
    else {
      const state = undoStateAfter(exchange, target);
      if (state) journal.undoState(id, state);
    }
  }
}

/**
 * Keeps the clean-up from sending an undo that the scenario's body has sent already. A second undo proves nothing. If no list shows the
 * change, a second undo could also remove a change that a person made in the meantime.
 */
export function undoneInBody({ target, isCleanUp }: Scope): Stage {
  /** The accepted undos whose change has not been repeated since the undo. */
  const undos = new Map<string, Exchange>();
  return ({ operation, args, changes, session }) => {
    const keyOf = (undo: string, of: unknown) => JSON.stringify([undo, of, session.caller.userId]);
    const { undo } = operation;
    if (undo) {
      const made = undoArguments(operation, args);
      for (const key of undos.keys())
        if (made ? key === keyOf(made.undo, made.args) : key.startsWith(`["${undo}"`)) undos.delete(key);
    }
    if (!undoneChange(operation.id) || args instanceof RawBody || changes.size > 0) return undefined;
    const key = keyOf(operation.id, args);
    const known = isCleanUp() ? undos.get(key) : undefined;
    if (known) return { known };
    return {
      ended: (exchange) => {
        if (!exchange) return;
        const { isDone, isAccepted } = outcomeOf(exchange, target.successWhen);
        if (isDone && isAccepted) undos.set(key, exchange);
      },
    };
  };
}

/**
 * The arguments of a call's undo, made from the call's arguments. `undefined` if the call has no undo, or if its body is invalid, so that its effect
 * is unknown. `asSent` are the same arguments with ids as numbers, if they were sent as numbers.
 */
export function undoArguments(
  { undo }: Pick<Operation, 'undo'>,
  args: unknown,
): { undo: OperationId; args: unknown; asSent?: object } | undefined {
  if (!undo) return undefined;
  const entry = entryOf(undo as OperationId);
  if (!(args instanceof RawBody)) return { undo: undo as OperationId, args };
  const given = parsedJson(args.text);
  if (!entry.request || typeof given !== 'object' || given === null) return undefined;
  const documented = requestFields(entry);
  const named = Object.entries(given).filter(([field]) => documented.includes(field));
  // Most services that accept a number as an id convert it to a string.
  const kept = Object.fromEntries(named.map(([field, value]) => [field, isNumber(value) ? String(value) : value]));
  if (validateRequest(entry.request, kept).length > 0) return undefined;
  const asSent = named.some(([, value]) => isNumber(value)) ? { asSent: Object.fromEntries(named) } : {};
  return { undo: undo as OperationId, args: kept, ...asSent };
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}
