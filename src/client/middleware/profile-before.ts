import { PROFILE_INCLUDES } from '../../../schemas/index.ts';
import { operation as entryOf, type Operation, type OperationId } from '../../spec/index.ts';
import { RawBody } from '../requests/raw-body.ts';
import type { ServiceUnderTest } from '../target/target.ts';
import { isPlainRefusal } from '../verdict/broken-expectation.ts';
import { judge } from '../verdict/judge.ts';
import type { CallingSession, OutgoingCall } from './middleware.ts';
import {
  emptyFields,
  isGeneratedProfile,
  oldValues,
  overwrittenFields,
  type Profile,
  type ProfileField,
  type ProfileValues,
} from './old-profile.ts';
import { asRestoration } from './put-back.ts';
import type { Scope } from './scope.ts';
import type { UndoLog } from './undo-log.ts';

/** A user's old profile, as the update that restores it. */
export interface Secured {
  readonly userId: string;
  readonly args: Profile;
}

/** The update that undoes a call; `undefined` unless every old value is known without ambiguity, and the service takes it back. */
export async function profileBefore(
  call: OutgoingCall,
  { target, undoLog, isMadeBySuite: isOwn }: Scope,
  secured: readonly Secured[],
): Promise<Profile | undefined> {
  const { args, session, operation } = call;
  // The effect of a body that violates the schema is unknown, so the whole profile is saved.
  const update: Profile =
    args instanceof RawBody ? { includes: PROFILE_INCLUDES.join(';'), name: '' } : (args as Profile);
  const fields = args instanceof RawBody ? (['name', 'status', 'url', 'gender'] as const) : overwrittenFields(update);
  const { userId } = session.caller;
  // Read again: another run may have restored the profile after the first read.
  for (let look = 0; look < 2; look++) {
    const read = await readValues(session, target, fields);
    if (!read) return undefined;
    if (!isGeneratedProfile(read, isOwn)) {
      const old = { ...read, includes: update.includes } as Profile;
      return (await isTakenBack(old, call, target)) ? old : undefined;
    }
    const known = knownBefore(userId, [...secured, ...profilesUnderWay(undoLog, operation, target)], fields);
    if (known) return { ...known, includes: update.includes } as Profile;
  }
  return undefined;
}

/**
 * Some services show empty texts that they refuse. A profile that is sent as it is changes nothing, and shows that before anything is
 * lost; where overwriting is allowed, it may be.
 */
async function isTakenBack(
  old: Profile,
  { operation, session }: OutgoingCall,
  { allowedEffects, successWhen }: ServiceUnderTest,
): Promise<boolean> {
  if (allowedEffects.has('overwriting') || emptyFields(old).length === 0) return true;
  const update = entryOf(operation.restoredBy as OperationId);
  const entry = { ...update, effect: 'reversible', title: 'the profile as it is' } as const;
  return !isPlainRefusal(await session.exchange(entry, asRestoration(old), new Map(), 'settled'), successWhen);
}

async function readValues(
  session: CallingSession,
  { readProfile, successWhen }: ServiceUnderTest,
  fields: readonly ProfileField[],
): Promise<ProfileValues | undefined> {
  if (!readProfile) return undefined;
  const { userId } = session.caller;
  const exchange = await session.exchange(readProfile, { userId }, new Map(), 'settled');
  if (judge(exchange, 'success', successWhen)) return undefined;
  const json = exchange.response?.body.json;
  return json?.ok ? oldValues(json.value, userId, fields) : undefined;
}

/** The old values from a pending change: this scenario's, or another live run's. */
function knownBefore(
  userId: string,
  secured: readonly Secured[],
  fields: readonly ProfileField[],
): ProfileValues | undefined {
  const candidates = secured.filter((each) => each.userId === userId).map(({ args }) => args);
  const found = candidates.find((args) => fields.every((field) => field in args));
  return found && Object.fromEntries(fields.map((field) => [field, found[field] as string | number]));
}

/** The profile values that live runs will restore in this environment. */
function profilesUnderWay(
  undoLog: UndoLog,
  { restoredBy, area }: Operation,
  { addresses }: ServiceUnderTest,
): Secured[] {
  const base = addresses[area].href;
  const changes = undoLog.underWay().filter((change) => change.undo === restoredBy && change.base === base);
  return changes.map(({ userId, args }) => ({ userId, args: args as Profile }));
}
