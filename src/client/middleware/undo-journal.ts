import type { OperationId } from '../../spec/index.ts';
import { SuiteFault } from '../suite-fault.ts';
import { judge } from '../verdict/judge.ts';
import { foundNothing, hadNoEffect } from '../verdict/no-effect.ts';
import { whyNotAllowed } from './effect-guard.ts';
import type { Middleware } from './middleware.ts';
import type { Scope } from './scope.ts';
import { undoArguments } from './undo-arguments.ts';

/**
 * Records the undo of every reversible change before it is sent, and removes it when the undo succeeded or the change was
 * rejected. Changes of provisioned users are not recorded: they are disposable, and undoing them later would need
 * their tokens, which must not be in a file.
 */
export function undoJournal({ target, undoLog, roleOf }: Scope): Middleware {
  return async (call, next) => {
    const { operation, args, changes, session } = call;
    const { userId } = session.caller;
    const as = roleOf(userId);
    if (!as || whyNotAllowed(operation.effect, target.allowedEffects)) return next(call);
    const base = target.addresses[operation.area].href;
    const id = operation.id as OperationId;

    // An undo covers only changes made before it is sent.
    const undone = undoLog.undoneBy({ undo: id, args, userId, base });
    const undo = undoArguments(operation, args);
    const entry = undo && (await undoLog.add({ change: id, ...undo, as, userId, base }));
    try {
      const exchange = await next(call);
      if (entry && hadNoEffect(exchange, target.successWhen)) undoLog.strike(entry.id, 'refused');
      else if (entry) undoLog.made(entry.id);
      const isDone = judge(exchange, 'success', target.successWhen) === undefined || foundNothing(exchange);
      if (isDone && changes.size === 0) for (const each of undone) undoLog.strike(each.id, 'undone');
      return exchange;
    } catch (error) {
      if (entry && error instanceof SuiteFault) undoLog.strike(entry.id, 'not sent');
      else if (entry) undoLog.made(entry.id);
      throw error;
    }
  };
}
