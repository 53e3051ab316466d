import { PROFILE_INCLUDES, type RequestBody } from '../../../schemas/index.ts';
import { operation as entryOf } from '../../spec/index.ts';
import type { Exchange } from '../exchange.ts';
import { RawBody } from '../raw-body.ts';
import type { ServiceUnderTest } from '../target.ts';
import { ExpectationError } from '../verdict/expectation-error.ts';
import { judge } from '../verdict/judge.ts';
import { hadNoEffect } from '../verdict/no-effect.ts';
import { whyNotAllowed } from './effect-guard.ts';
import type { CallingSession, Middleware, OutgoingCall } from './middleware.ts';
import { isMadeBySuite, oldValues, overwrittenFields, type ProfileField, type ProfileValues } from './old-profile.ts';
import type { Scope } from './scope.ts';
import type { UndoLog } from './undo-log.ts';

const none = new Map<string, string | undefined>();

type Profile = RequestBody<'profile'>;

/** A user's profile as it was, in the form of the update that puts it back. */
interface Secured {
  readonly userId: string;
  readonly args: Profile;
}

const putBacks = new WeakSet<object>();

/** Arguments that put old values back: sending them is no change that would have to be put back itself. */
export function asRestoration<T>(args: T): T {
  if (typeof args === 'object' && args !== null) putBacks.add(args);
  return args;
}

function isPutBack(args: unknown): boolean {
  return typeof args === 'object' && args !== null && putBacks.has(args);
}

/**
 * Makes a change of a profile reversible where its old values can be read: they are noted before it is sent, and put back
 * when the scenario ends. Where they can't be had, the environment must allow `overwriting`.
 */
export function restoreProfile(scope: Scope): Middleware {
  const { target, undoLog, roleOf, defer } = scope;
  const { allowedEffects, readProfile } = target;
  const mayOverwrite = allowedEffects.has('overwriting');
  // What this scenario overwrote for users that no journal knows.
  const secured: Secured[] = [];

  return async (call, next) => {
    const { operation, session } = call;
    const { userId } = session.caller;
    const as = roleOf(userId);
    const applies = operation.request === 'profile' && operation.effect === 'overwriting' && !isPutBack(call.args);
    // A user made to be thrown away has nothing worth keeping.
    const isWorthIt = as !== undefined || !mayOverwrite;
    if (!applies || !isWorthIt || !readProfile || !(mayOverwrite || allowedEffects.has('reversible')))
      return next(call);

    const old = await profileBefore(call, scope, secured);
    if (!old && mayOverwrite) return next(call);
    if (!old) throw scope.skipped(notRestorable(call, target));
    const effect = mayOverwrite ? operation.effect : 'reversible';
    const base = target.addresses[operation.area].href;
    const undo = { change: operation.id as 'updateProfile', undo: 'updateProfile', args: old, userId, base } as const;
    const entry = as && (await undoLog.add({ ...undo, as }));
    secured.push({ userId, args: old });
    const exchange = await next({ ...call, operation: { ...operation, effect } });
    if (hadNoEffect(exchange)) {
      if (entry) undoLog.strike(entry.id, 'refused');
      return exchange;
    }
    defer(async () => {
      await putBack(call, old, effect, target);
      if (entry) undoLog.strike(entry.id, 'undone');
    });
    return exchange;
  };
}

/** Sends a profile's old values. @throws ExpectationError when they were not taken. */
async function putBack(
  { session }: OutgoingCall,
  old: Profile,
  effect: OutgoingCall['operation']['effect'],
  { successWhen }: ServiceUnderTest,
): Promise<Exchange> {
  const exchange = await session.exchange(
    { ...entryOf('updateProfile'), effect, title: 'put the profile back' },
    asRestoration(old),
    none,
    'settled',
  );
  const claim = 'assumed: a profile can be put back as it was';
  const shortfall = judge(exchange, 'success', successWhen, claim);
  if (shortfall) throw new ExpectationError(exchange, shortfall);
  return exchange;
}

/** The update that takes a call's change back; `undefined` when not every old value is known for certain. */
async function profileBefore(
  { args, session }: OutgoingCall,
  { target, undoLog, madeBy }: Scope,
  secured: readonly Secured[],
): Promise<Profile | undefined> {
  // Of a body that breaks the schema nobody knows what it overwrites, so all of the profile is kept.
  const update: Profile =
    args instanceof RawBody ? { includes: PROFILE_INCLUDES.join(';'), name: '' } : (args as Profile);
  const fields = args instanceof RawBody ? (['name', 'status', 'url', 'gender'] as const) : overwrittenFields(update);
  const { userId } = session.caller;
  // A second look: another run may have put the profile back after the first.
  for (let look = 0; look < 2; look++) {
    const read = await readValues(session, target, fields);
    if (!read) return undefined;
    if (!isMadeBySuite(read, madeBy)) return { ...read, includes: update.includes } as Profile;
    const known = knownBefore(userId, [...secured, ...profilesUnderWay(undoLog, target)], fields);
    if (known) return { ...known, includes: update.includes } as Profile;
  }
  return undefined;
}

async function readValues(
  session: CallingSession,
  { readProfile, successWhen }: ServiceUnderTest,
  fields: readonly ProfileField[],
): Promise<ProfileValues | undefined> {
  if (!readProfile) return undefined;
  const { userId } = session.caller;
  const exchange = await session.exchange(readProfile, { userId }, none, 'settled');
  if (judge(exchange, 'success', successWhen)) return undefined;
  const json = exchange.response?.body.json;
  return json?.ok ? oldValues(json.value, userId, fields) : undefined;
}

/** The old values out of a change that is under way: this scenario's, or another live run's. */
function knownBefore(
  userId: string,
  secured: readonly Secured[],
  fields: readonly ProfileField[],
): ProfileValues | undefined {
  const candidates = secured.filter((each) => each.userId === userId).map(({ args }) => args);
  const found = candidates.find((args) => fields.every((field) => field in args));
  return found && Object.fromEntries(fields.map((field) => [field, found[field] as string | number]));
}

/** What live runs will put back in this environment's profiles. */
function profilesUnderWay(undoLog: UndoLog, { addresses }: ServiceUnderTest): Secured[] {
  const base = addresses.profile.href;
  const changes = undoLog.underWay().filter((change) => change.undo === 'updateProfile' && change.base === base);
  return changes.map(({ userId, args }) => ({ userId, args: args as Profile }));
}

function notRestorable({ operation }: OutgoingCall, { allowedEffects, readProfile }: ServiceUnderTest): string {
  const read = `${readProfile?.method} ${readProfile?.path}`;
  return `${operation.id} was not sent: ${whyNotAllowed('overwriting', allowedEffects)}; the old values of the profile can't be told for certain from ${read}, so it could not be put back`;
}
