import { PROFILE_INCLUDES } from '../../schemas/index.ts';
import {
  type CallingSession,
  type Ended,
  type OutgoingCall,
  RawBody,
  type Stage,
  whyNotAllowed,
} from '../call/index.ts';
import { type Exchange, isRecord, parsedJson } from '../http/index.ts';
import { type ProfileField, profileFields } from '../questions/index.ts';
import { operation as entryOf, type OperationId } from '../service/index.ts';
import { excerpt, outcomeOf, type ServiceUnderTest, SuiteFault } from '../verdict/index.ts';
import { isOfCaller } from './changes.ts';
import {
  emptyFields,
  includesOf,
  isGeneratedProfile,
  isMadeBySuite,
  overwrittenFields,
  type Profile,
  readProfile,
  shownProfile,
  unnamedFields,
  without,
} from './profile-values.ts';
import { record } from './recorded-changes.ts';
import type { Kept } from './run-profiles.ts';
import { asRestoration, isRestoration, type Scope } from './scope.ts';

/**
 * Makes a profile update reversible if the old values can be read. It reads the values when the scenario begins, and records them before
 * the update. It restores them when the scenario ends, or when the last scenario of the run that may change profiles ends. If the values
 * can't be read, the environment must allow `overwriting`, and a note before the update names the values that can't be restored.
 */
export class KeptProfile {
  readonly #scope: Scope;
  readonly #kept: Map<string, Kept>;
  /** Fields unknown to the specification that a note has named already, so that it names each only once. */
  readonly #added = new Set<string>();

  constructor(scope: Scope) {
    this.#scope = scope;
    this.#kept = scope.profiles?.kept ?? new Map();
  }

  /** Reads the profile of the session's user. */
  async begin(session: CallingSession): Promise<void> {
    if (this.#isWorthIt(session)) await this.#keptOf(session);
  }

  /** Allows an update as a reversible change if the old values can be restored. The journal records the undo before the update is sent. */
  readonly allowed: Stage = async (call) => {
    const { operation, session } = call;
    if (operation.restoredBy === undefined || isRestoration(call.args) || !this.#isWorthIt(session)) return undefined;
    const { target, roleOf, skipped, noted } = this.#scope;
    const mayOverwrite = target.allowedEffects.has('overwriting');
    const added = roleOf(session.caller.userId) ? addedFields(call) : [];
    if (!mayOverwrite && added.length > 0)
      throw skipped(
        `${operation.id} was not sent: ${whyNotAllowed('overwriting', target.allowedEffects)}; ${stays(added)}`,
      );
    if (added.some((field) => !this.#added.has(field))) noted({ kind: 'start', text: stays(added) });
    for (const field of added) this.#added.add(field);
    const kept = await this.#keptOf(session);
    const update = updateIn(call);
    const fields = overwrittenFields(update);
    const { userId } = session.caller;
    const lost = kept.refused.filter((field) => fields.includes(field));
    const old = this.#oldProfile(call, kept, fields);
    if (!mayOverwrite && (!old || lost.length > 0)) throw skipped(notRestorable(call, target, kept.asked));
    const unnamed = !old && roleOf(userId) && unnamedText(userId, kept.read, fields, target);
    if (unnamed) throw skipped(`${operation.id} was not sent: ${unnamed}`);
    if (!old) noted({ kind: 'start', text: lostText(userId, kept.read, fields, target) });
    if (!old) return undefined;
    if (lost.length > 0) noted({ kind: 'start', text: refusedText(lost) });
    const instead = {
      ...call,
      operation: { ...operation, effect: mayOverwrite ? operation.effect : 'reversible' },
    } as const;
    const as = roleOf(userId);
    // If the service refused the update, the record of the update was removed from the journal. The next update then needs a new record.
    const { journal } = this.#scope;
    const accepted = journal.own().flatMap(({ id, isAccepted }) => (isAccepted ? [id] : []));
    const records = fields.map((field) => kept.recorded.get(field) ?? '');
    if (!as) return { instead };
    if (records.every((id) => accepted.includes(id))) {
      for (const id of new Set(records)) journal.again(id);
      const isAnswered: Ended = (exchange, error) => {
        if (exchange?.response || error instanceof SuiteFault)
          for (const id of new Set(records)) journal.made(id, true);
      };
      return { instead, ended: isAnswered };
    }
    const change = operation.id as OperationId;
    const undo = {
      undo: operation.restoredBy as OperationId,
      args: without({ ...old, includes: update.includes }, lost),
    };
    const base = target.addresses[operation.area].href;
    const { entry, ended } = await record(this.#scope, session, { change, ...undo, as, userId, base });
    for (const field of fields) kept.recorded.set(field, entry.id);
    return { instead, ended };
  };

  #isWorthIt({ caller }: CallingSession): boolean {
    const { allowedEffects, readProfile: reading } = this.#scope.target;
    const mayOverwrite = allowedEffects.has('overwriting');
    // The profile of a disposable user need not be restored.
    const isLasting = this.#scope.roleOf(caller.userId) !== undefined || !mayOverwrite;
    return isLasting && reading !== undefined && (mayOverwrite || allowedEffects.has('reversible'));
  }

  async #keptOf(session: CallingSession): Promise<Kept> {
    const { userId } = session.caller;
    const { target, step, sessions } = this.#scope;
    // Keeps the session, because the end of this scenario may have to undo a change that an earlier scenario of the run recorded.
    sessions.set(userId, session);
    const known = this.#kept.get(userId);
    if (known) return known;
    const kept = await step(
      'start',
      `read the profile of ${userId}, to restore it at the end`,
      async (): Promise<Kept> => {
        const { asked, shown: read } = await readProfile(session, target);
        const shown = profileFields.filter((field) => read && shownProfile(read, userId, [field], target));
        const found = read && shownProfile(read, userId, shown, target);
        const asItIs = { ...found, includes: includesOf(shown) };
        const empty = emptyFields(asItIs);
        const isRefused = empty.length > 0 && (await this.#refuses(session, asItIs));
        return { asked, read, refused: isRefused ? empty : [], recorded: new Map() };
      },
    );
    this.#kept.set(userId, kept);
    return kept;
  }

  /**
   * Whether the service refuses an update with exactly the values that the profile shows. Some services show empty texts that they don't
   * accept in an update. This update changes nothing, so the refusal is known before a value is lost.
   */
  async #refuses(session: CallingSession, profile: Profile): Promise<boolean> {
    const { allowedEffects, successWhen } = this.#scope.target;
    const effect = allowedEffects.has('reversible') ? 'reversible' : 'overwriting';
    const operation = { ...entryOf('updateProfile'), effect, title: 'restore the profile' } as const;
    const exchange = await session.exchange(operation, asRestoration(profile), new Map(), 'settled');
    return outcomeOf(exchange, successWhen).isPlainRefusal;
  }

  /** The old values of fields; `undefined` if one of them is missing or ambiguous. */
  #oldProfile({ operation, session }: OutgoingCall, { read }: Kept, fields: readonly ProfileField[]) {
    const { userId } = session.caller;
    const { target, journal } = this.#scope;
    const found = read && shownProfile(read, userId, fields, target);
    if (!found || !isGeneratedProfile(found)) return found;
    // The profile shows values that Sextant generated. The original values are in the journal, in the record of a change that has not been
    // undone yet.
    const base = target.addresses[operation.area].href;
    const known = [...journal.own(), ...journal.left()]
      .filter((each) => each.undo === operation.restoredBy && each.base === base && isOfCaller(each, session.caller))
      .map((each) => each.args as Profile)
      .find((old) => fields.every((field) => field in old));
    return known && Object.fromEntries(fields.map((field) => [field, known[field]]));
  }
}

/** The profile update in a call. A raw body may violate the schema, so its effect is unknown, and it counts as an update of the whole profile. */
function updateIn({ args }: OutgoingCall): Profile {
  return args instanceof RawBody ? { includes: PROFILE_INCLUDES.join(';') } : (args as Profile);
}

/** Fields of the body that the specification doesn't know. The service may store them. */
function addedFields({ args }: OutgoingCall): string[] {
  const body = args instanceof RawBody && args.text !== undefined ? parsedJson(args.text) : undefined;
  const names = isRecord(body) ? Object.keys(body) : [];
  return names.filter((name) => name !== 'includes' && !profileFields.some((field) => field === name));
}

function stays(added: readonly string[]): string {
  return `${added.join(', ')} may stay in the profile, because no update removes a field`;
}

function notRestorable(
  { operation }: OutgoingCall,
  { allowedEffects, readProfile }: ServiceUnderTest,
  found: Exchange | undefined,
): string {
  const request = `${readProfile?.method} ${readProfile?.path}`;
  const { status = 0 } = found?.response ?? {};
  const why =
    found && !found.response
      ? `gave no response (${found.failure?.reason})`
      : status >= 500
        ? `answers ${status}`
        : 'does not show the old values of the profile unambiguously, or the service refuses them as they are';
  return `${operation.id} was not sent: ${whyNotAllowed('overwriting', allowedEffects)}; ${request} ${why}, so the profile could not be restored`;
}

/**
 * A text that says that the profile may show some fields under names that no fact gives; `undefined` if it shows all fields under known
 * names.
 */
function unnamedText(
  userId: string,
  read: Exchange | undefined,
  fields: readonly ProfileField[],
  target: ServiceUnderTest,
): string | undefined {
  const json = read?.response?.body.json;
  const unnamed = json?.ok ? unnamedFields(json.value, userId, fields, target) : [];
  if (unnamed.length === 0) return undefined;
  const request = `${target.readProfile?.method} ${target.readProfile?.path}`;
  return `${request} shows no ${unnamed.join(', ')} under a documented name, but perhaps under another; add a fact about profile-names of updateProfile (docs/safety.md)`;
}

/**
 * A text that says which fields of a profile a run would overwrite for good, or why it sends no update. `undefined` if every field can be
 * restored. `read` is a response that shows the profile.
 */
export function unrestorableIn(userId: string, read: Exchange, target: ServiceUnderTest): string | undefined {
  const shown = shownProfile(read, userId, profileFields, target);
  if (shown && !isGeneratedProfile(shown)) return undefined;
  const unnamed = shown ? undefined : unnamedText(userId, read, profileFields, target);
  return unnamed
    ? `the profile of ${userId} is never updated: ${unnamed}`
    : lostText(userId, read, profileFields, target);
}

/** A text such as `the profile of user-1 can’t be restored: GET /v1/profile/{userId} shows no url`, with the old profile. */
export function lostText(
  userId: string,
  read: Exchange | undefined,
  fields: readonly ProfileField[],
  target: ServiceUnderTest,
): string {
  const { readProfile } = target;
  const request = readProfile ? `${readProfile.method} ${readProfile.path}` : 'FRIEND_PROFILE_REQUEST is not set';
  const missing = fields.filter((field) => !read || !shownProfile(read, userId, [field], target));
  const why = readProfile
    ? `${request} shows ${missing.length > 0 ? `no ${missing.join(', ')}` : 'values that Sextant generated'}`
    : request;
  // If the suite wrote all texts that the profile shows, no person loses a text. The message then omits the texts, so that one warning
  // covers the whole run.
  const texts = read ? profileFields.flatMap((field) => textIn(read, userId, field, target)) : [];
  const isLoss = texts.length === 0 || !texts.every(isMadeBySuite);
  const was =
    isLoss && read?.response?.body.text ? `; before the run it was ${excerpt(read.response.body.text, 300)}` : '';
  return `the profile of ${userId} can’t be restored: ${why}${was}`;
}

function textIn(read: Exchange, userId: string, field: ProfileField, target: ServiceUnderTest): string[] {
  const value = shownProfile(read, userId, [field], target)?.[field];
  return typeof value === 'string' ? [value] : [];
}

function refusedText(fields: readonly ProfileField[]): string {
  return `the old ${fields.join(' and ')} of the profile can’t be restored, because the service refuses an empty value`;
}
