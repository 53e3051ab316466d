import { PROFILE_INCLUDES, type RequestBody } from '../../../schemas/index.ts';
import type { Environment } from '../../config/index.ts';
import { readJournals } from '../../scenario/journal/leftovers.ts';
import { hadNoEffect } from '../../scenario/journal/no-effect.ts';
import { Skipped } from '../../scenario/skip.ts';
import { operation as entryOf } from '../../spec/index.ts';
import {
  type Exchange,
  ExpectationError,
  judge,
  type Middleware,
  type OutgoingCall,
  RawBody,
  type Session,
  whyNotAllowed,
} from '../index.ts';
import { isMadeBySuite, oldValues, overwrittenFields, type ProfileField, type ProfileValues } from './old-profile.ts';
import { roleOf, type Scope } from './scope.ts';

const none = new Map<string, string | undefined>();

type Profile = RequestBody<'profile'>;

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
export function restoreProfile({ environment, journal, by, defer }: Scope): Middleware {
  const { allowedEffects, readProfile } = environment;
  const mayOverwrite = allowedEffects.has('overwriting');
  // What this scenario overwrote for users that no journal knows.
  const secured: { readonly userId: string; readonly args: Profile }[] = [];

  return async (call, next) => {
    const { operation, session } = call;
    const as = roleOf(session.caller, environment);
    const { userId } = session.caller;
    const applies = operation.request === 'profile' && operation.effect === 'overwriting' && !isPutBack(call.args);
    // A user made to be thrown away has nothing worth keeping.
    const isWorthIt = as !== undefined || !mayOverwrite;
    if (!applies || !isWorthIt || !readProfile || !(mayOverwrite || allowedEffects.has('reversible')))
      return next(call);

    const old = await profileBefore(call, environment, secured);
    if (!old && mayOverwrite) return next(call);
    if (!old) throw new Skipped(notRestorable(call, environment), 'not-allowed');
    const effect = mayOverwrite ? operation.effect : 'reversible';
    const base = environment.addresses[operation.area].href;
    const undo = { change: operation.id as 'updateProfile', undo: 'updateProfile', args: old, userId, base } as const;
    const entry = as && (await journal.add(by, { ...undo, as }));
    secured.push({ userId, args: old });
    const exchange = await next({ ...call, operation: { ...operation, effect } });
    if (hadNoEffect(exchange)) {
      if (entry) journal.strike(entry.id, 'refused');
      return exchange;
    }
    defer(async () => {
      await putBack(session, old, effect);
      if (entry) journal.strike(entry.id, 'undone');
    });
    return exchange;
  };
}

/** Sends a profile's old values. @throws ExpectationError when they were not taken. */
async function putBack(session: Session, old: Profile, effect: OutgoingCall['operation']['effect']): Promise<Exchange> {
  const exchange = await session.exchange(
    { ...entryOf('updateProfile'), effect, title: 'put the profile back' },
    asRestoration(old),
    none,
    'settled',
  );
  const claim = 'assumed: a profile can be put back as it was';
  const shortfall = judge(exchange, 'success', session.context.target.successWhen, claim);
  if (shortfall) throw new ExpectationError(exchange, shortfall);
  return exchange;
}

/** The update that takes a call's change back; `undefined` when not every old value is known for certain. */
async function profileBefore(
  { args, session }: OutgoingCall,
  environment: Environment,
  secured: readonly { readonly userId: string; readonly args: Profile }[],
): Promise<Profile | undefined> {
  // Of a body that breaks the schema nobody knows what it overwrites, so all of the profile is kept.
  const update: Profile =
    args instanceof RawBody ? { includes: PROFILE_INCLUDES.join(';'), name: '' } : (args as Profile);
  const fields = args instanceof RawBody ? (['name', 'status', 'url', 'gender'] as const) : overwrittenFields(update);
  const { userId } = session.caller;
  // A second look: another run may have put the profile back after the first.
  for (let look = 0; look < 2; look++) {
    const read = await readValues(session, environment, fields);
    if (!read) return undefined;
    if (!isMadeBySuite(read)) return { ...read, includes: update.includes } as Profile;
    const known = await knownBefore(userId, environment, secured, fields);
    if (known) return { ...known, includes: update.includes } as Profile;
  }
  return undefined;
}

async function readValues(
  session: Session,
  environment: Environment,
  fields: readonly ProfileField[],
): Promise<ProfileValues | undefined> {
  const { readProfile, successWhen } = environment;
  if (!readProfile) return undefined;
  const { userId } = session.caller;
  const exchange = await session.exchange(readProfile, { userId }, none, 'settled');
  if (judge(exchange, 'success', successWhen)) return undefined;
  const json = exchange.response?.body.json;
  return json?.ok ? oldValues(json.value, userId, fields) : undefined;
}

/** The old values out of a change that is under way: this scenario's, or another live run's. */
async function knownBefore(
  userId: string,
  environment: Environment,
  secured: readonly { readonly userId: string; readonly args: Profile }[],
  fields: readonly ProfileField[],
): Promise<ProfileValues | undefined> {
  const base = environment.addresses.profile.href;
  const live = readJournals(environment.name)
    .filter((file) => file.live)
    .flatMap(({ pending }) => pending)
    .filter((entry) => entry.undo === 'updateProfile' && entry.base === base);
  const candidates = [...secured, ...live].filter((each) => each.userId === userId).map(({ args }) => args as Profile);
  const found = candidates.find((args) => fields.every((field) => field in args));
  return found && Object.fromEntries(fields.map((field) => [field, found[field] as string | number]));
}

function notRestorable({ operation }: OutgoingCall, { allowedEffects, readProfile }: Environment): string {
  const read = `${readProfile?.method} ${readProfile?.path}`;
  return `${operation.id} was not sent: ${whyNotAllowed('overwriting', allowedEffects)}; the old values of the profile can't be told for certain from ${read}, so it could not be put back`;
}
