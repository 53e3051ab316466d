import { PROFILE_INCLUDES } from '../../../schemas/index.ts';
import {
  type CallingSession,
  type Exchange,
  ExpectationError,
  excerpt,
  hadNoEffect,
  isPlainRefusal,
  judge,
  MASK,
  type OutgoingCall,
  RawBody,
  recordsIn,
  type ServiceUnderTest,
  type Stage,
  SuiteFault,
  whyNotAllowed,
} from '../../client/index.ts';
import { type Effect, operation as entryOf, type OperationId, operationsWith } from '../../spec/index.ts';
import { asRestoration, isPutBack, type Scope } from './scope.ts';
import { type Shown, untilForgotten } from './shown-change.ts';

/** The profile of a user, as the scenario found it. */
interface Kept {
  readonly session: CallingSession;
  /** What its old values are read from; absent where it can't be read. */
  readonly read?: Exchange | undefined;
  /** The service takes no empty text, so that those can't be put back. */
  readonly refusesEmpty: boolean;
  /** The updates that put it back, with their entries in the journal. */
  readonly undo: { readonly entry?: string | undefined; readonly old: Profile; readonly effect: Effect }[];
}

/**
 * Makes a profile change reversible where the old values can be read: reads them when the scenario begins, and restores them when it ends.
 * Otherwise the environment must allow `overwriting`, and what can't be put back is said before it is overwritten.
 */
export class KeptProfile {
  readonly #scope: Scope;
  readonly #kept = new Map<string, Kept>();

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** Reads the profile of the session's user. */
  async begin(session: CallingSession): Promise<void> {
    if (this.#isWorthIt(session)) await this.#keptOf(session);
  }

  /** An update is allowed as a change that can be undone, if it can be; what undoes it is recorded first. */
  readonly allowed: Stage = async (call) => {
    const { operation, args, session } = call;
    if (operation.restoredBy === undefined || isPutBack(args) || !this.#isWorthIt(session)) return undefined;
    const { target, undoLog, roleOf, skipped } = this.#scope;
    const mayOverwrite = target.allowedEffects.has('overwriting');
    const kept = await this.#keptOf(session);
    const old = this.#oldProfile(call, kept);
    if (!old && !mayOverwrite) throw skipped(notRestorable(call, target));
    if (!old) {
      this.#sayLost(call, kept);
      return undefined;
    }
    const { userId } = session.caller;
    const effect = mayOverwrite ? operation.effect : 'reversible';
    const base = target.addresses[operation.area].href;
    const as = roleOf(userId);
    const undo = operation.restoredBy as OperationId;
    const entry = as && (await undoLog.add({ change: operation.id as OperationId, undo, args: old, userId, base, as }));
    const forget = (because: string) => void (entry && undoLog.strike(entry.id, because));
    return {
      instead: { ...call, operation: { ...operation, effect } },
      ended: (exchange, error) => {
        if (!exchange && error instanceof SuiteFault) return forget('not sent');
        if (exchange?.tampered === 'not sent' || (exchange && hadNoEffect(exchange, target.successWhen)))
          return forget('refused');
        kept.undo.push({ entry: entry?.id, old, effect });
      },
    };
  };

  /** Puts back what the scenario overwrote. Returns what went wrong. */
  async end(): Promise<unknown[]> {
    const errors: unknown[] = [];
    for (const [userId, kept] of this.#kept) {
      const undo = kept.undo.splice(0);
      if (undo.length === 0) continue;
      const work = () => this.#putBack(kept, undo);
      await this.#scope.step('end', `the profile of ${userId} as it was`, work).catch((error: unknown) => {
        errors.push(error);
      });
    }
    return errors;
  }

  #isWorthIt({ caller }: CallingSession): boolean {
    const { allowedEffects, readProfile } = this.#scope.target;
    const mayOverwrite = allowedEffects.has('overwriting');
    // A disposable user has nothing to restore.
    const isLasting = this.#scope.roleOf(caller.userId) !== undefined || !mayOverwrite;
    return isLasting && readProfile !== undefined && (mayOverwrite || allowedEffects.has('reversible'));
  }

  async #keptOf(session: CallingSession): Promise<Kept> {
    const { userId } = session.caller;
    const known = this.#kept.get(userId);
    if (known) return known;
    const { target, step } = this.#scope;
    const kept = await step('start', `the profile of ${userId}, to put it back at the end`, async (): Promise<Kept> => {
      const read = await readProfile(session, target);
      const found =
        read &&
        shownProfile(
          read,
          userId,
          allFields.filter((field) => valueIn(read, userId, field) !== undefined),
        );
      const empty = found ? emptyFields({ includes: '', ...found }) : [];
      if (empty.length === 0 || target.allowedEffects.has('overwriting'))
        return { session, read, refusesEmpty: false, undo: [] };
      // Some services show empty texts that they refuse. A profile that is sent as it is changes nothing, and shows that before anything
      // is lost; where overwriting is allowed, it may be.
      const asItIs = { ...found, includes: includesOf(Object.keys(found ?? {})) };
      const [update] = operationsWith('restoredBy');
      const exchange = await sendProfile(session, update?.restoredBy as OperationId, asItIs, 'reversible');
      return { session, read, refusesEmpty: isPlainRefusal(exchange, target.successWhen), undo: [] };
    });
    this.#kept.set(userId, kept);
    return kept;
  }

  /** The update that undoes a call; `undefined` unless every old value is known without ambiguity, and the service takes it back. */
  #oldProfile({ args, operation, session }: OutgoingCall, { read, refusesEmpty, undo }: Kept): Profile | undefined {
    const { target, undoLog, isMadeBySuite: isOwn } = this.#scope;
    // The effect of a body that violates the schema is unknown, so the whole profile is saved.
    const update = args instanceof RawBody ? { includes: PROFILE_INCLUDES.join(';') } : (args as Profile);
    const { includes } = update;
    const { userId } = session.caller;
    const fields = overwrittenFields(update);
    const found = read && shownProfile(read, userId, fields);
    if (!found) return undefined;
    if (!isGeneratedProfile(found, isOwn)) {
      const old = { ...found, includes };
      return refusesEmpty && emptyFields(old).length > 0 ? undefined : old;
    }
    // Values that Sextant generated are never an original: a change that is pending has the true one.
    const base = target.addresses[operation.area].href;
    const pending = [...undoLog.underWay(), ...undoLog.sent()]
      .filter((each) => each.undo === operation.restoredBy && each.base === base && each.userId === userId)
      .map((each) => each.args as Profile);
    const known = [...undo.map(({ old }) => old), ...pending].find((old) => fields.every((field) => field in old));
    return known && { ...valuesOf(known, fields), includes };
  }

  /** Before the first request that overwrites for good. */
  #sayLost({ session, args }: OutgoingCall, { read }: Kept): void {
    const { userId } = session.caller;
    const update = args instanceof RawBody ? { includes: PROFILE_INCLUDES.join(';') } : (args as Profile);
    this.#scope.noted({ kind: 'start', text: lostText(userId, read, overwrittenFields(update), this.#scope.target) });
  }

  /**
   * Sends a profile's old values. What was empty may stay as it is now where the service takes no empty text and overwriting is allowed.
   * @throws ExpectationError when they were not accepted, or had no effect.
   */
  async #putBack({ session }: Kept, undo: Kept['undo']): Promise<void> {
    const { target, noted, isMadeBySuite, undoLog } = this.#scope;
    const { successWhen, allowedEffects } = target;
    const includes = [...new Set(undo.flatMap(({ old }) => old.includes.split(';')))].filter(Boolean).join(';');
    // The first one has what was there before all of them.
    const old: Profile = { ...Object.assign({}, ...undo.map((each) => each.old).reverse()), includes };
    const [{ effect }] = undo as [Kept['undo'][number]];
    const [update] = operationsWith('restoredBy');
    const send = (profile: Profile) => sendProfile(session, update?.restoredBy as OperationId, profile, effect);
    const settle = ({ tampered }: Exchange) => {
      if ((tampered ?? 'done') === 'done') for (const { entry } of undo) if (entry) undoLog.strike(entry, 'undone');
    };
    const claim = 'assumed: a profile can be restored to its old values';
    const exchange = await send(old);
    const shortfall = judge(exchange, 'success', successWhen, claim);
    if (!shortfall) {
      const seen = await readRestored(session, target, old, isMadeBySuite);
      if (!seen?.isShown) return settle(exchange);
      const observed = `${exchange.response?.status}, and ${seen.list.operation} still shows what the suite wrote`;
      throw new ExpectationError(exchange, { verdict: 'failed', claim, observed });
    }
    const empty = emptyFields(old);
    if (empty.length > 0 && isPlainRefusal(exchange, successWhen)) {
      const rest = await send(without(old, empty));
      if (allowedEffects.has('overwriting') && !judge(rest, 'success', successWhen)) {
        const text = `the old ${empty.join(' and ')} of the profile, which the service refuses to take back because it was empty, is lost`;
        noted({ kind: 'start', text });
        return settle(rest);
      }
    }
    throw new ExpectationError(exchange, shortfall);
  }
}

function sendProfile(session: CallingSession, undo: OperationId, profile: Profile, effect: Effect): Promise<Exchange> {
  const update = { ...entryOf(undo), effect, title: 'restore the profile' };
  return session.exchange(update, asRestoration(profile), new Map(), 'settled');
}

function notRestorable({ operation }: OutgoingCall, { allowedEffects, readProfile }: ServiceUnderTest): string {
  const read = `${readProfile?.method} ${readProfile?.path}`;
  return `${operation.id} was not sent: ${whyNotAllowed('overwriting', allowedEffects)}; ${read} does not show the old values of the profile unambiguously, or the service refuses them as they are, so it could not be restored`;
}

/** `the profile of user-1 can’t be restored: GET /v1/profile/{userId} shows no url; it was {"name":"Ada"}`. */
export function lostText(
  userId: string,
  read: Exchange | undefined,
  fields: readonly ProfileField[],
  { readProfile }: ServiceUnderTest,
): string {
  const request = readProfile ? `${readProfile.method} ${readProfile.path}` : 'FRIEND_PROFILE_REQUEST is not set';
  const missing = fields.filter((field) => !read || valueIn(read, userId, field) === undefined);
  const why = readProfile
    ? `${request} shows ${missing.length > 0 ? `no ${missing.join(', ')}` : 'values that Sextant generated'}`
    : request;
  const was = read?.response?.body.text ? `; it was ${excerpt(read.response.body.text, 300)}` : '';
  return `the profile of ${userId} can’t be restored: ${why}${was}`;
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
  const holders = [...recordsIn(response)].filter((object) =>
    fields.some((field) => keyIn(object, field) !== undefined),
  );
  const complete = holders.filter((object) => fields.every((field) => keyIn(object, field) !== undefined));
  const own = complete.filter((object) =>
    Object.values(object).some((value) => typeof value !== 'object' && String(value) === userId),
  );
  const [found] = own.length > 0 ? own : complete;
  if (!found || own.length > 1 || (own.length === 0 && holders.length > 1)) return undefined;
  return valuesOf(found, fields);
}

function valuesOf(record: Readonly<Record<string, unknown>>, fields: readonly ProfileField[]): ProfileValues {
  return Object.fromEntries(fields.map((field) => [field, record[keyIn(record, field) ?? field]])) as ProfileValues;
}

/** What services call a field where they don't call it as an update does; in lower case, letters alone. */
const otherNames: Readonly<Record<ProfileField, readonly string[]>> = {
  name: ['displayname', 'username'],
  status: ['statustext', 'statusmessage'],
  url: ['avatarurl', 'avartarurl', 'imageurl', 'pictureurl', 'photourl'],
  gender: ['gendercode'],
};

/** The key of a field in a record: of its name, else of another name for it, else the only one whose value is like it, an address. */
function keyIn(record: Readonly<Record<string, unknown>>, field: ProfileField): string | undefined {
  if (Object.hasOwn(record, field)) return isOf(record[field], field) ? field : undefined;
  const keys = Object.keys(record).filter((key) => isOf(record[key], field));
  const named = keys.filter((key) => otherNames[field].includes(key.toLowerCase().replace(/[^a-z]/g, '')));
  if (named.length > 0) return named.length === 1 ? named[0] : undefined;
  const alike = field === 'url' ? keys.filter((key) => /^https?:\/\//.test(String(record[key]))) : [];
  return alike.length === 1 ? alike[0] : undefined;
}

/** Whether the suite generated these values (by `isOwn`): then they come from another run and need not be restored. */
export function isGeneratedProfile(values: ProfileValues, isOwn: (text: string) => boolean): boolean {
  return Object.values(values).some((value) => typeof value === 'string' && isOwn(value));
}

function isOf(value: unknown, field: ProfileField): boolean {
  return typeof value === types[field] && (typeof value !== 'number' || Number.isInteger(value));
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
    const list = await readProfile(session, target);
    const values = list && shownProfile(list, session.caller.userId, fields);
    return list && values && { list, isShown: isGeneratedProfile(values, isOwn) };
  });
}

/** The response that shows the profile of the session's user; `undefined` where it can't be read. */
async function readProfile(
  session: CallingSession,
  { readProfile: reading, successWhen }: ServiceUnderTest,
): Promise<Exchange | undefined> {
  if (!reading) return undefined;
  const { userId } = session.caller;
  const exchange = await session.exchange(reading, { userId }, new Map(), 'settled');
  return judge(exchange, 'success', successWhen) ? undefined : exchange;
}

function shownProfile(exchange: Exchange, userId: string, fields: readonly ProfileField[]): ProfileValues | undefined {
  const json = exchange.response?.body.json;
  const values = json?.ok ? oldValues(json.value, userId, fields) : undefined;
  // A masked value can't be restored.
  const isMasked = exchange.echoedSecret && Object.values(values ?? {}).some((value) => `${value}`.includes(MASK));
  return isMasked ? undefined : values;
}

function valueIn(exchange: Exchange, userId: string, field: ProfileField): string | number | undefined {
  return shownProfile(exchange, userId, [field])?.[field];
}

function includesOf(fields: readonly string[]): string {
  return PROFILE_INCLUDES.filter((name) => fields.includes(fieldOf(name))).join(';');
}
