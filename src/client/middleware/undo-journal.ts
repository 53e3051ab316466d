import { undoes } from '../../scenario/journal/entries.ts';
import { foundNothing, hadNoEffect } from '../../scenario/journal/no-effect.ts';
import { undoArguments } from '../../scenario/journal/undo-arguments.ts';
import type { OperationId } from '../../spec/index.ts';
import { judge, type Middleware, SuiteFault, whyNotAllowed } from '../index.ts';
import { roleOf, type Scope } from './scope.ts';

/**
 * Notes the undo of every reversible change before it is sent, and strikes it out when the undo worked or the change was
 * refused. Users that the provisioner made are thrown away, and nobody could undo anything as one later: their token
 * may stand in no file. So their changes aren't noted.
 */
export function undoJournal({ environment, journal, by }: Scope): Middleware {
  return async (call, next) => {
    const { operation, args, changes, session } = call;
    const as = roleOf(session.caller, environment);
    if (!as || whyNotAllowed(operation.effect, environment.allowedEffects)) return next(call);
    const { userId } = session.caller;
    const base = environment.addresses[operation.area].href;
    const id = operation.id as OperationId;

    // Only what was made before this undo is sent is taken back by it.
    const undone = journal.findMade((entry) => undoes({ undo: id, args, userId, base }, entry));
    const undo = undoArguments(operation, args);
    const entry = undo && (await journal.add(by, { change: id, ...undo, as, userId, base }));
    try {
      const exchange = await next(call);
      if (entry && hadNoEffect(exchange)) journal.strike(entry.id, 'refused');
      else if (entry) journal.made(entry.id);
      const isDone = judge(exchange, 'success', environment.successWhen) === undefined || foundNothing(exchange);
      if (isDone && changes.size === 0) for (const each of undone) journal.strike(each.id, 'undone');
      return exchange;
    } catch (error) {
      if (entry && error instanceof SuiteFault) journal.strike(entry.id, 'not sent');
      else if (entry) journal.made(entry.id);
      throw error;
    }
  };
}
