import { statSync } from 'node:fs';
import { shown } from '../../../environment/files/file-trouble.ts';
import {
  counted,
  credentialCure,
  credentialEnds,
  credentialEndText,
  type Environment,
  endingCredentials,
  environmentFiles,
  listed,
} from '../../../environment/index.ts';
import {
  hasConsent,
  isDivisible,
  type JournalFile,
  readJournals,
  unrestorableIn,
  unrestorableText,
} from '../../../safety/index.ts';
import { outcomeOf } from '../../../verdict/index.ts';
import { withService } from '../../serving/embedded-service.ts';
import { examineAreas } from './examine-areas.ts';
import { type Finding, fine, note, problem, warning } from './findings.ts';
import { withReader } from './harmless-requests.ts';

/**
 * Findings about one environment. `others` are the other environments in its folder: runs against them may use the same users.
 * Sends requests to the environment's addresses. Reads with its credentials only if a person has consented to a run.
 */
export async function examineEnvironment(environment: Environment, others: readonly Environment[]): Promise<Finding[]> {
  const { name } = environment;
  const secretFile = environmentFiles(name).secret;
  const mode = process.platform === 'win32' ? undefined : statSync(secretFile, { throwIfNoEntry: false })?.mode;
  const isAgreed = hasConsent(environment);
  return [
    ...(await withService(environment, (at) => examineAreas(at, isAgreed))),
    ...credentialEndFindings(environment, Date.now()),
    consentFinding(name, isAgreed),
    ...secretFileFindings(shown(secretFile), mode),
    ...(environment.warnings ?? []).map((text) => warning('configuration', text, 'correct it, unless it is intended')),
    ...(await withService(environment, (at) => profileFindings(at, isAgreed))),
    journalFinding(name, readJournals(environment)),
    ...sharedUsersFindings(environment, others),
  ];
}

export function consentFinding(name: string, isGiven: boolean): Finding {
  if (isGiven) return fine('consent', 'given, or not needed');
  const text = 'not given for these settings, so nothing was sent with credentials';
  return note('consent', text, `npx sextant check --env ${name} asks for it`);
}

/**
 * Warns of fields of the profile that a run would overwrite for good. If the user has consented to a run, reads the profile to find these
 * fields. Otherwise sends nothing, because some services create a profile when somebody reads it.
 */
async function profileFindings(environment: Environment, mayRead: boolean): Promise<Finding[]> {
  const { allowedEffects, readProfile, caller, provisionUrl, successWhen } = environment;
  const mayChange = allowedEffects.has('reversible') || allowedEffects.has('overwriting');
  if (!mayRead || !readProfile || !mayChange || provisionUrl) return profileFinding(unrestorableText(environment));
  const planned = { operation: readProfile, args: { userId: caller.userId }, keys: [] };
  const exchange = await withReader(environment, (read) => read(planned));
  // If the service refuses this read, another finding reports the refusal.
  const { isAccepted } = outcomeOf(exchange, successWhen);
  return isAccepted ? profileFinding(unrestorableIn(caller.userId, exchange, environment)) : [];
}

function profileFinding(text: string | undefined): Finding[] {
  const cure =
    'set FRIEND_PROFILE_REQUEST to a request that shows all fields, use an account only for tests, or remove overwriting from ALLOWED_EFFECTS';
  return text ? [warning('profile', text, cure)] : [];
}

/**
 * Reports users that other environments or machines use, too. If two runs with the same users overlap, each may take the other's block for
 * one that a person made, and leave it in place. So a block may remain.
 */
export function sharedUsersFindings(environment: Environment, others: readonly Environment[]): Finding[] {
  if (isDivisible(environment)) return [];
  const usersOf = ({ caller, friend }: Environment) => [caller.userId, friend.userId].filter((id) => id !== undefined);
  const users = usersOf(environment);
  const isSharing = (other: Environment) =>
    !isDivisible(other) &&
    other.addresses.friends.href === environment.addresses.friends.href &&
    usersOf(other).some((id) => users.includes(id));
  const sharing = others.filter(isSharing).map(({ name }) => name);
  const places = [
    ...(sharing.length > 0 ? [`in ${listed(sharing, 'and')}`] : []),
    ...(environment.isLoopback ? [] : ['on every other machine that uses this file without the same state folder']),
  ];
  if (places.length === 0) return [];
  const text = `runs act as ${listed(users, 'and')}, and so do runs ${places.join(', and ')}; runs at the same time may leave a block behind`;
  return [note('users', text, 'start these runs one after the other, share SEXTANT_STATE, or set PROVISION_URL')];
}

type Journal = Pick<JournalFile, 'path' | 'pending' | 'damaged' | 'isLive'>;

export function journalFinding(name: string, journals: readonly Journal[]): Finding {
  const subject = 'undo journal';
  const undo = `npx sextant undo --env ${name}`;
  const dead = journals.filter(({ isLive }) => !isLive);
  const damaged = dead.filter((each) => each.damaged.length > 0).map(({ path }) => shown(path));
  if (damaged.length > 0) {
    const text = `${damaged.join(', ')} ${damaged.length === 1 ? 'is' : 'are'} damaged, so changes of a run may be missing from the journal`;
    return problem(subject, text, `look at the file, then ${undo}`);
  }
  const pending = dead.flatMap((each) => each.pending);
  if (pending.length > 0) {
    const named = pending.map(({ change, args, userId }) => `${change} ${JSON.stringify(args)} of ${userId}`);
    const text = `${counted(pending.length, 'change')} left behind by an earlier run: ${named.slice(0, 3).join(', ')}${pending.length > 3 ? ' …' : ''}`;
    return warning(subject, text, `${undo}; the next run undoes them, too`);
  }
  const running = journals.length - dead.length;
  return fine(subject, running > 0 ? `${counted(running, 'run')} under way` : 'nothing left behind');
}

/** Finding on the permissions of the file with the secrets; `mode` is absent if there is no such file, or on Windows. */
export function secretFileFindings(path: string, mode: number | undefined): Finding[] {
  if (mode === undefined) return [];
  if ((mode & 0o077) === 0) return [fine('secrets', `${path} can be read only by its owner`)];
  const octal = (mode & 0o777).toString(8).padStart(4, '0');
  return [warning('secrets', `${path} can be read by other users (mode ${octal})`, `chmod 600 ${path}`)];
}

/** Findings on when each credential expires. A credential without a known expiry date has no finding. */
export function credentialEndFindings(environment: Environment, now: number): Finding[] {
  const ending = endingCredentials(environment, now);
  const others = credentialEnds(environment).filter(({ key }) => !ending.some((each) => each.key === key));
  return [
    ...others.map(({ key, endsAt, isRenewed }) =>
      fine('expiry', `${key} ${isRenewed ? 'is renewed' : 'expires'} at ${new Date(endsAt).toISOString()}`),
    ),
    ...ending.map((end) =>
      (end.endsAt > now ? warning : problem)('expiry', credentialEndText(end, now), credentialCure(end)),
    ),
  ];
}
