import { statSync } from 'node:fs';
import type { Pin } from '../../../client/index.ts';
import { shown } from '../../../config/files/file-trouble.ts';
import {
  counted,
  credentialCure,
  credentialEnds,
  credentialEndText,
  type Environment,
  endingCredentials,
  environmentFiles,
} from '../../../config/index.ts';
import { hasConsent, type JournalFile, readJournals } from '../../../engine/safety/index.ts';
import { unusedItems } from '../../../scenario/index.ts';
import { areaIds } from '../../../spec/index.ts';
import { withService } from '../../serving/embedded-service.ts';
import { areaFindings } from './area-findings.ts';
import { type Finding, fine, note, problem, warning } from './findings.ts';
import { withReader } from './harmless-requests.ts';
import { tryAreas } from './try-areas.ts';

/** What holds for one environment; asks its addresses, and reads with its credentials where a run was agreed to. */
export async function examineEnvironment(environment: Environment): Promise<Finding[]> {
  const { name, data } = environment;
  const secretFile = environmentFiles(name).secret;
  const mode = process.platform === 'win32' ? undefined : statSync(secretFile, { throwIfNoEntry: false })?.mode;
  const isAgreed = hasConsent(environment);
  return [
    ...(await withService(environment, (at) => askedOf(at, isAgreed))),
    ...credentialEndFindings(environment, Date.now()),
    consentFinding(name, isAgreed),
    ...secretFileFindings(shown(secretFile), mode),
    ...(environment.warnings ?? []).map((text) => warning('configuration', text, 'correct it, unless it is intended')),
    itemsFinding(data.storedItemIds.length, unusedItems(name, data.storedItemIds).length),
    journalFinding(name, readJournals(environment)),
  ];
}

async function askedOf(environment: Environment, isAgreed: boolean): Promise<Finding[]> {
  const tried = await (isAgreed
    ? withReader(environment, (read) => tryAreas(environment, read))
    : tryAreas(environment));
  return [...areaFindings(tried, environment), ...routeFindings(environment)];
}

export function consentFinding(name: string, isGiven: boolean): Finding {
  if (isGiven) return fine('consent', 'given, or not needed');
  const text = 'not given with these settings, so nothing was sent with credentials';
  return note('consent', text, `npx sextant check --env ${name} asks for it`);
}

export function itemsFinding(ids: number, unused: number): Finding {
  const subject = 'stored items';
  if (ids === 0) return note(subject, 'no STORED_ITEM_IDS: deletion is not tested');
  if (unused > 0) return fine(subject, `${unused} of ${counted(ids, 'id')} left to delete`);
  const text = `${ids === 1 ? 'the only id is' : `all ${ids} ids are`} used up: deletion is skipped`;
  return warning(subject, text, 'put new ids into STORED_ITEM_IDS');
}

type Journal = Pick<JournalFile, 'path' | 'pending' | 'damaged' | 'isLive'>;

export function journalFinding(name: string, journals: readonly Journal[]): Finding {
  const subject = 'undo journal';
  const undo = `npx sextant undo --env ${name}`;
  const dead = journals.filter(({ isLive }) => !isLive);
  const damaged = dead.filter((each) => each.damaged.length > 0).map(({ path }) => shown(path));
  if (damaged.length > 0) {
    const text = `${damaged.join(', ')} ${damaged.length === 1 ? 'is' : 'are'} damaged: what a run changed may be lost`;
    return problem(subject, text, `look at it, then ${undo}`);
  }
  const pending = dead.flatMap((each) => each.pending);
  if (pending.length > 0) {
    const named = pending.map(({ change, args, userId }) => `${change} ${JSON.stringify(args)} of ${userId}`);
    const text = `${counted(pending.length, 'change')} left behind by an earlier run: ${named.slice(0, 3).join(', ')}${pending.length > 3 ? ' …' : ''}`;
    return warning(subject, text, `${undo}; the next run takes it back, too`);
  }
  const running = journals.length - dead.length;
  return fine(subject, running > 0 ? `${counted(running, 'run')} under way` : 'nothing left behind');
}

/** Permissions of the file with the secrets; `mode` is absent where there is none, or on Windows. */
export function secretFileFindings(path: string, mode: number | undefined): Finding[] {
  if (mode === undefined) return [];
  if ((mode & 0o077) === 0) return [fine('secrets', `${path} is for its owner alone`)];
  const octal = (mode & 0o777).toString(8).padStart(4, '0');
  return [warning('secrets', `${path} can be read by other users (mode ${octal})`, `chmod 600 ${path}`)];
}

/** The proxies that the addresses are reached through, and where connections to them go instead. */
export function routeFindings({ addresses, route }: Pick<Environment, 'addresses' | 'route'>): Finding[] {
  const proxies = areaIds.flatMap((area) => route?.proxyFor(addresses[area])?.url.origin ?? []);
  const text = ({ host, port }: Pin['to']) => (port === undefined ? host : `${host}:${port}`);
  return [
    ...[...new Set(proxies)].map((origin) => fine('proxy', `${origin} is used`)),
    ...(route?.pins ?? []).map(({ from, to }) => fine('connection', `${text(from)} is ${text(to)} here (CONNECT_TO)`)),
  ];
}

/** When each credential ends, as far as that can be read. */
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
