import { operation as entryOf, type OperationId } from '../../spec/index.ts';
import type { Exchange } from '../http/exchange.ts';
import type { ServiceUnderTest } from '../target/target.ts';
import { isPlainRefusal } from '../verdict/broken-expectation.ts';
import { ExpectationError } from '../verdict/expectation-error.ts';
import { judge } from '../verdict/judge.ts';
import { hadNoEffect } from '../verdict/refusal-kind.ts';
import { whyNotAllowed } from './effect-guard.ts';
import { asRestoration, isPutBack, type Middleware, type OutgoingCall } from './middleware.ts';
import { emptyFields, type Profile, profileBefore, type Secured, without } from './old-profile.ts';
import type { Scope } from './scope.ts';

/**
 * Makes a profile change reversible where the old values can be read: saves them before it is sent, and restores them
 * when the scenario ends. Otherwise the environment must allow `overwriting`.
 */
export function restoreProfile(scope: Scope): Middleware {
  const { target, undoLog, roleOf, defer } = scope;
  const { allowedEffects, readProfile } = target;
  const mayOverwrite = allowedEffects.has('overwriting');
  // Values overwritten by this scenario for users outside the journal.
  const secured: Secured[] = [];

  return async (call, next) => {
    const { operation, args, session } = call;
    if (operation.restoredBy === undefined || isPutBack(args)) return next(call);
    const { userId } = session.caller;
    const as = roleOf(userId);
    // A disposable user has nothing to restore.
    const isWorthIt = as !== undefined || !mayOverwrite;
    if (!isWorthIt || !readProfile || !(mayOverwrite || allowedEffects.has('reversible'))) return next(call);

    const old = await profileBefore(call, scope, secured);
    if (!old && mayOverwrite) return next(call);
    if (!old) throw scope.skipped(notRestorable(call, target));
    const effect = mayOverwrite ? operation.effect : 'reversible';
    const base = target.addresses[operation.area].href;
    const change = operation.id as OperationId;
    const undo = operation.restoredBy as OperationId;
    const entry = as && (await undoLog.add({ change, undo, args: old, userId, base, as }));
    secured.push({ userId, args: old });
    const exchange = await next({ ...call, operation: { ...operation, effect } });
    if (exchange.tampered === 'not sent' || hadNoEffect(exchange, target.successWhen)) {
      if (entry) undoLog.strike(entry.id, 'refused');
      return exchange;
    }
    defer(async () => {
      const { tampered } = await putBack(call, old, effect, scope);
      if (entry && (tampered ?? 'done') === 'done') undoLog.strike(entry.id, 'undone');
    });
    return exchange;
  };
}

/**
 * Sends a profile's old values. What was empty may stay as it is now where the service takes no empty text and overwriting is allowed.
 * @throws ExpectationError when they were not accepted.
 */
async function putBack(
  { operation, session }: OutgoingCall,
  old: Profile,
  effect: OutgoingCall['operation']['effect'],
  { target: { successWhen, allowedEffects }, noted }: Scope,
): Promise<Exchange> {
  const send = (profile: Profile) =>
    session.exchange(
      { ...entryOf(operation.restoredBy as OperationId), effect, title: 'restore the profile' },
      asRestoration(profile),
      new Map(),
      'settled',
    );
  const claim = 'assumed: a profile can be restored to its old values';
  const exchange = await send(old);
  const shortfall = judge(exchange, 'success', successWhen, claim);
  if (!shortfall) return exchange;
  const empty = emptyFields(old);
  if (empty.length > 0 && isPlainRefusal(exchange, successWhen)) {
    const rest = await send(without(old, empty));
    if (allowedEffects.has('overwriting') && !judge(rest, 'success', successWhen)) {
      const text = `the old ${empty.join(' and ')} of the profile, which the service refuses to take back because it was empty, is lost`;
      noted({ kind: 'start', text });
      return rest;
    }
  }
  throw new ExpectationError(exchange, shortfall);
}

function notRestorable({ operation }: OutgoingCall, { allowedEffects, readProfile }: ServiceUnderTest): string {
  const read = `${readProfile?.method} ${readProfile?.path}`;
  return `${operation.id} was not sent: ${whyNotAllowed('overwriting', allowedEffects)}; ${read} does not show the old values of the profile unambiguously, or the service refuses them as they are, so it could not be restored`;
}
