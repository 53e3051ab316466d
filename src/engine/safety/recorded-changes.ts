import { validateRequest } from '../../../schemas/index.ts';
import {
  type Exchange,
  foundNothing,
  hadNoEffect,
  judge,
  parsedJson,
  RawBody,
  type Stage,
  SuiteFault,
  whyNotAllowed,
} from '../../client/index.ts';
import {
  operation as entryOf,
  type Operation,
  type OperationId,
  requestFields,
  undoneChange,
} from '../../spec/index.ts';
import { isPutBack, type Scope, type SentChange, undoes } from './scope.ts';
import { isKnownEmpty, shows } from './shown-change.ts';

/**
 * Records the undo of every reversible change before it is sent. It is removed when the change was rejected, when its undo was seen to
 * work, or accepted where no list can show it. Changes of provisioned users are not recorded:
 * they are disposable, and undoing them later would need their tokens, which must not be in a file.
 */
export function recordedChanges({ target, undoLog, roleOf }: Scope): Stage {
  /** By the service: a response of a drill says nothing of a change or an undo. */
  const wasAccepted = (exchange: Exchange) =>
    exchange.tampered ? exchange.tampered === 'done' : judge(exchange, 'success', target.successWhen) === undefined;

  const noteUndo = (undone: readonly SentChange[], exchange: Exchange) => {
    const isAccepted = wasAccepted(exchange);
    for (const each of undone) {
      const isShown = entryOf(each.change).shownBy !== undefined;
      if (isAccepted && isShown) undoLog.undone(each.id);
      // Where nothing can show it, an accepted undo counts: a repetition would take away what a person did meanwhile.
      else if (isAccepted) undoLog.strike(each.id, 'undone');
      // The next run looks for changes that a list should show: a list that lags behind may not show them yet.
      else if (foundNothing(exchange) && !isShown && !each.isAccepted) undoLog.strike(each.id, 'nothing to undo');
    }
  };

  return async (call) => {
    const { operation, args, changes, session } = call;
    const { userId } = session.caller;
    const as = roleOf(userId);
    if (!as || whyNotAllowed(operation.effect, target.allowedEffects)) return undefined;
    const base = target.addresses[operation.area].href;
    const id = operation.id as OperationId;

    // An undo covers only changes made before it is sent.
    const isChange = operation.undo !== undefined && !isPutBack(args);
    const request = { undo: id, args, userId, base };
    const undone = isChange ? [] : undoLog.sent().filter((each) => !each.isUndone && undoes(request, each));
    const undo = isChange ? undoArguments(operation, args) : undefined;
    const entry = undo && (await undoLog.add({ change: id, ...undo, as, userId, base }));

    const ended = (exchange: Exchange) => {
      const isAccepted = wasAccepted(exchange);
      if (entry && hadNoEffect(exchange, target.successWhen)) undoLog.strike(entry.id, 'refused');
      else if (entry) undoLog.made(entry.id, isAccepted);
      const unseen = () => undoLog.sent().filter(({ isUndone }) => isUndone);
      if (entry && isAccepted)
        for (const each of unseen())
          if (each.id !== entry.id && each.change === entry.change && undoes(each, entry))
            undoLog.strike(each.id, 'accepted again');
      if (changes.size === 0 || exchange.tampered === 'done') noteUndo(undone, exchange);
      const isEmpty = isKnownEmpty(exchange, session);
      if (isAccepted || isEmpty)
        for (const each of unseen())
          if (each.userId === userId && entryOf(each.change).shownBy === id && (isEmpty || !shows(exchange, each.args)))
            undoLog.strike(each.id, 'no longer shown');
    };
    return {
      ended: (exchange, error) => {
        if (exchange) ended(exchange);
        else if (entry && error instanceof SuiteFault) undoLog.strike(entry.id, 'not sent');
        else if (entry) undoLog.made(entry.id, false);
      },
    };
  };
}

/**
 * Of a change that was undone in a scenario's body, the clean-up doesn't send the undo again: the response would say nothing, and where no
 * list shows the change, a person may have made it meanwhile.
 */
export function undoneInBody({ target, isCleanUp }: Pick<Scope, 'target' | 'isCleanUp'>): Stage {
  /** The accepted undos of what has not been changed again since. */
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
        const isSeen = exchange && (exchange.tampered ?? 'done') === 'done';
        if (isSeen && judge(exchange, 'success', target.successWhen) === undefined) undos.set(key, exchange);
      },
    };
  };
}

/**
 * The arguments that undo a call, from the call's arguments; `undefined` if it has no undo, or if the effect of its body
 * is unknown.
 */
export function undoArguments(
  { undo }: Pick<Operation, 'undo'>,
  args: unknown,
): { undo: OperationId; args: unknown } | undefined {
  if (!undo) return undefined;
  const entry = entryOf(undo as OperationId);
  if (!(args instanceof RawBody)) return { undo: undo as OperationId, args };
  const given = parsedJson(args.text);
  if (!entry.request || typeof given !== 'object' || given === null) return undefined;
  const documented = requestFields(entry);
  // A service that accepts a number as an id has converted it to a string.
  const kept = Object.fromEntries(
    Object.entries(given)
      .filter(([field]) => documented.includes(field))
      .map(([field, value]) => [field, typeof value === 'number' ? String(value) : value]),
  );
  return validateRequest(entry.request, kept).length === 0 ? { undo: undo as OperationId, args: kept } : undefined;
}
