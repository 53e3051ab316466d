import { PROFILE_INCLUDES } from '../../../schemas/index.ts';
import { MASK } from '../../engine/redaction/secret.ts';
import { type Effect, operation as entryOf, type OperationId } from '../../spec/index.ts';
import type { Exchange } from '../http/exchange.ts';
import { recordsIn } from '../json/json.ts';
import { RawBody } from '../requests/prepare.ts';
import type { ServiceUnderTest } from '../target/target.ts';
import { SuiteFault } from '../verdict/category.ts';
import { ExpectationError, isPlainRefusal } from '../verdict/expectation-error.ts';
import { hadNoEffect, judge } from '../verdict/judge.ts';
import { whyNotAllowed } from './guards.ts';
import {
  asRestoration,
  type CallingSession,
  isPutBack,
  type Middleware,
  type OutgoingCall,
  type ReversibleChange,
  type Scope,
} from './middleware.ts';
import { type Shown, untilForgotten } from './shown-change.ts';

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
    const exchange = await next({ ...call, operation: { ...operation, effect } }).catch((error: unknown) => {
      if (entry && error instanceof SuiteFault) undoLog.strike(entry.id, 'not sent');
      throw error;
    });
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
 * @throws ExpectationError when they were not accepted, or had no effect.
 */
async function putBack(
  call: OutgoingCall,
  old: Profile,
  effect: Effect,
  { target, noted, isMadeBySuite }: Scope,
): Promise<Exchange> {
  const { successWhen, allowedEffects } = target;
  const send = (profile: Profile) => sendProfile(call, profile, effect, 'restore the profile');
  const claim = 'assumed: a profile can be restored to its old values';
  const exchange = await send(old);
  const shortfall = judge(exchange, 'success', successWhen, claim);
  if (!shortfall) {
    const seen = await readRestored(call.session, target, old, isMadeBySuite);
    if (!seen?.isShown) return exchange;
    const observed = `${exchange.response?.status}, and ${seen.list.operation} still shows what the suite wrote`;
    throw new ExpectationError(exchange, { verdict: 'failed', claim, observed });
  }
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

function sendProfile(
  { operation, session }: OutgoingCall,
  profile: Profile,
  effect: Effect,
  title: string,
): Promise<Exchange> {
  const update = { ...entryOf(operation.restoredBy as OperationId), effect, title };
  return session.exchange(update, asRestoration(profile), new Map(), 'settled');
}

function notRestorable({ operation }: OutgoingCall, { allowedEffects, readProfile }: ServiceUnderTest): string {
  const read = `${readProfile?.method} ${readProfile?.path}`;
  return `${operation.id} was not sent: ${whyNotAllowed('overwriting', allowedEffects)}; ${read} does not show the old values of the profile unambiguously, or the service refuses them as they are, so it could not be restored`;
}

/** The fields of a profile that a change may overwrite (specification, part 2), with their types. */
const types = { name: 'string', status: 'string', url: 'string', gender: 'number' } as const;

export type ProfileField = keyof typeof types;
type ProfileValues = Readonly<Partial<Record<ProfileField, string | number>>>;

export type Profile = ProfileValues & { readonly includes: string };

const allFields = Object.keys(types) as ProfileField[];

/** The field for a name in `includes`. assumed: `avartarUrl`, which isn't a field name, means `url`. */
const fieldOf = (name: string) => (name === 'avartarUrl' ? 'url' : name);

export function overwrittenFields(update: Profile): ProfileField[] {
  const named = update.includes.split(';').map(fieldOf);
  return allFields.filter((field) => field in update || named.includes(field));
}

function emptyFields(profile: Profile): ProfileField[] {
  return allFields.filter((field) => profile[field] === '');
}

function without(profile: Profile, fields: readonly string[]): Profile {
  const left = Object.entries(profile).filter(([name]) => !fields.includes(name));
  const includes = profile.includes.split(';').filter((name) => !fields.includes(fieldOf(name)));
  return { ...Object.fromEntries(left), includes: includes.join(';') };
}

/**
 * The old values of `fields` in a response of undocumented shape: those of the only object that has them all, each
 * of the right type. It must be the user's: contain the user's id, or be the only object with any such field.
 */
export function oldValues(
  response: unknown,
  userId: string,
  fields: readonly ProfileField[],
): ProfileValues | undefined {
  const holders = [...recordsIn(response)].filter((object) => fields.some((field) => isOf(object, field)));
  const complete = holders.filter((object) => fields.every((field) => isOf(object, field)));
  const own = complete.filter((object) => Object.values(object).some((value) => String(value) === userId));
  const [found] = own.length > 0 ? own : complete;
  if (!found || own.length > 1 || (own.length === 0 && holders.length > 1)) return undefined;
  return valuesOf(found, fields);
}

function valuesOf(record: Readonly<Partial<Record<ProfileField, unknown>>>, fields: readonly ProfileField[]) {
  return Object.fromEntries(fields.map((field) => [field, record[field]])) as ProfileValues;
}

/** Whether the suite generated these values (by `isOwn`): then they come from another run and need not be restored. */
export function isGeneratedProfile(values: ProfileValues, isOwn: (text: string) => boolean): boolean {
  return Object.values(values).some((value) => typeof value === 'string' && isOwn(value));
}

function isOf(object: Readonly<Record<string, unknown>>, field: ProfileField): boolean {
  if (!Object.hasOwn(object, field)) return false;
  const value = object[field];
  return typeof value === types[field] && (typeof value !== 'number' || Number.isInteger(value));
}

type Secured = Pick<ReversibleChange, 'userId' | 'args'>;

/** The update that undoes a call; `undefined` unless every old value is known without ambiguity, and the service takes it back. */
async function profileBefore(
  call: OutgoingCall,
  { target, undoLog, isMadeBySuite: isOwn }: Scope,
  secured: readonly Secured[],
): Promise<Profile | undefined> {
  const { args, session, operation } = call;
  // The effect of a body that violates the schema is unknown, so the whole profile is saved.
  const update = args instanceof RawBody ? { includes: PROFILE_INCLUDES.join(';') } : (args as Profile);
  const { includes } = update;
  const fields = overwrittenFields(update);
  const base = target.addresses[operation.area].href;
  const { userId } = session.caller;
  // Read again: another run may have restored the profile after the first read.
  for (let look = 0; look < 2; look++) {
    const read = (await readValues(session, target, fields))?.values;
    if (!read) return undefined;
    if (!isGeneratedProfile(read, isOwn)) {
      const old = { ...read, includes };
      if (target.allowedEffects.has('overwriting') || emptyFields(old).length === 0) return old;
      // Some services show empty texts that they refuse. A profile that is sent as it is changes nothing, and shows that before anything
      // is lost; where overwriting is allowed, it may be.
      const asItIs = await sendProfile(call, old, 'reversible', 'the profile as it is');
      return isPlainRefusal(asItIs, target.successWhen) ? undefined : old;
    }
    // The old values of a pending change: this scenario's, one that another live run will restore, or one that could not be restored.
    const isOfProfile = (each: ReversibleChange) => each.undo === operation.restoredBy && each.base === base;
    const underWay = [...undoLog.underWay(), ...undoLog.sent()].filter(isOfProfile);
    const hasAll = (each: Secured) =>
      each.userId === userId && fields.every((field) => field in (each.args as Profile));
    const known = [...secured, ...underWay].find(hasAll);
    if (known) return { ...valuesOf(known.args as Profile, fields), includes };
  }
  return undefined;
}

/** Whether a profile that was put back shows values of the suite all the same; `undefined` where it can't be read. */
export function readRestored(
  session: CallingSession,
  target: ServiceUnderTest,
  old: Profile,
  isOwn: (text: string) => boolean,
): Promise<Shown | undefined> {
  // To some services an empty text means to leave what is there.
  const fields = allFields.filter((field) => field in old && old[field] !== '');
  return untilForgotten(session, target, 'updateProfile', async () => {
    const read = await readValues(session, target, fields);
    return read && { list: read.exchange, isShown: isGeneratedProfile(read.values, isOwn) };
  });
}

async function readValues(
  session: CallingSession,
  { readProfile, successWhen }: ServiceUnderTest,
  fields: readonly ProfileField[],
): Promise<{ readonly exchange: Exchange; readonly values: ProfileValues } | undefined> {
  if (!readProfile) return undefined;
  const { userId } = session.caller;
  const exchange = await session.exchange(readProfile, { userId }, new Map(), 'settled');
  if (judge(exchange, 'success', successWhen)) return undefined;
  const json = exchange.response?.body.json;
  const values = json?.ok ? oldValues(json.value, userId, fields) : undefined;
  // What is masked is not the old value.
  const isMasked = exchange.echoedSecret && Object.values(values ?? {}).some((value) => `${value}`.includes(MASK));
  return isMasked || !values ? undefined : { exchange, values };
}
