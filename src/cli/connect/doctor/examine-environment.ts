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
import { certificatesOf } from '../../../runner/index.ts';
import { hasConsent, readJournals, runLocks, unseenText, unusedItems } from '../../../scenario/index.ts';
import { areaIds, areas } from '../../../spec/index.ts';
import { withService } from '../../serving/embedded-service.ts';
import { connectionCure, proxyVariables } from '../connection-test/explain.ts';
import { clockAhead, withReader } from '../connection-test/harmless-requests.ts';
import { isFine, type Tried, tryAreas } from '../connection-test/try-areas.ts';
import { type Finding, fine, note, problem, warning } from './findings.ts';

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
    itemsFinding(data.storedItemIds.length, unusedItems(name, data.storedItemIds).length),
    journalFinding(name, readJournals(name)),
    lockFinding(runLocks(environment)),
  ];
}

async function askedOf(environment: Environment, isAgreed: boolean): Promise<Finding[]> {
  const tried = await (isAgreed
    ? withReader(environment, (read) => tryAreas(environment, read))
    : tryAreas(environment));
  const first = [...Map.groupBy(tried, ({ address }) => address).values()].flatMap(([each]) => each ?? []);
  return [
    ...first.map((each) => addressFinding(each, environment)),
    clockFinding(first),
    ...routeFindings(environment),
    ...credentialFindings(tried),
  ];
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

type Journal = Pick<ReturnType<typeof readJournals>[number], 'path' | 'pending' | 'unseen' | 'damaged' | 'live'>;

export function journalFinding(name: string, journals: readonly Journal[]): Finding {
  const subject = 'undo journal';
  const undo = `npx sextant undo --env ${name}`;
  const dead = journals.filter(({ live }) => !live);
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
  const unseen = dead.flatMap((each) => each.unseen);
  if (unseen.length > 0)
    return note(subject, unseen.map(unseenText).join('; '), 'the next run that makes the same change shows it');
  const running = journals.length - dead.length;
  return fine(subject, running > 0 ? `${counted(running, 'run')} under way` : 'nothing left behind');
}

export function lockFinding(locks: readonly { readonly pid: number; readonly live: boolean }[]): Finding {
  const pids = new Set(locks.flatMap(({ pid, live }) => (live ? [pid] : [])));
  if (pids.size === 0) return fine('run locks', 'none held');
  const text = `held by process ${[...pids].join(', ')}: another run with the same users waits for it`;
  return note('run locks', text, 'wait, end that run, or give each run separate users with PROVISION_URL');
}

/** Permissions of the file with the secrets; `mode` is absent where there is none, or on Windows. */
export function secretFileFindings(path: string, mode: number | undefined): Finding[] {
  if (mode === undefined) return [];
  if ((mode & 0o077) === 0) return [fine('secrets', `${path} is for its owner alone`)];
  const octal = (mode & 0o777).toString(8).padStart(4, '0');
  return [warning('secrets', `${path} can be read by other users (mode ${octal})`, `chmod 600 ${path}`)];
}

export type Asked = Pick<Tried, 'address' | 'area' | 'exchange'>;

/** Whether an address answers, and how long its certificate is valid. `now` is an epoch, in ms. */
export function addressFinding(
  { address, area, exchange }: Asked,
  { certificateWarningDays: warningDays }: Pick<Environment, 'certificateWarningDays'>,
  now = Date.now(),
  proxies = proxyVariables(),
): Finding {
  const { response, failure, durationMs } = exchange;
  if (failure) {
    const layer = { dns: 'DNS', tls: 'TLS' }[failure.phase as string] ?? 'connection';
    const cure = connectionCure(failure, areas[area].addressKey, proxies);
    return problem(layer, `${address} does not answer: ${failure.reason}`, cure);
  }
  const text = `${address} answers (${response?.status}) in ${Math.round(durationMs)} ms`;
  const [certificate] = certificatesOf([exchange], now);
  if (!certificate) return fine('address', text);
  const { daysLeft } = certificate;
  const left = `${text}; its certificate expires in ${counted(daysLeft, 'day')}`;
  return daysLeft >= warningDays ? fine('address', left) : warning('certificate', left, 'renew it');
}

/** In ms. Tokens that carry a time, and every time in a report, are off by as much. */
const NOTABLE_SKEW_MS = 5_000;
const SEVERE_SKEW_MS = 300_000;

/** This machine's clock against the servers'; the farthest counts. */
export function clockFinding(asked: readonly Asked[]): Finding {
  const known = asked.flatMap(({ address, exchange }) => {
    const ahead = clockAhead(exchange);
    return ahead === undefined ? [] : [{ address, ahead }];
  });
  const [farthest] = known.sort((a, b) => Math.abs(b.ahead) - Math.abs(a.ahead));
  if (!farthest) return note('clock', 'not compared: no server sent its time (Date)');
  const { address, ahead } = farthest;
  const skew = Math.abs(ahead);
  if (skew < NOTABLE_SKEW_MS) return fine('clock', 'agrees with the servers');
  const text = `this machine is ${Math.round(skew / 1_000)} s ${ahead > 0 ? 'behind' : 'ahead of'} ${address}`;
  const cure = 'set the clock of this machine (NTP), or that of the server';
  return (skew < SEVERE_SKEW_MS ? warning : problem)('clock', text, cure);
}

/** Whether the credentials are accepted, from a read in each area that has one. */
export function credentialFindings(tried: readonly Tried[]): Finding[] {
  // What doesn't answer at all is a finding about its address.
  const read = tried.filter(({ isRead, state }) => state === 'refused' || (isRead && state !== 'unreachable'));
  const accepted = read.filter(isFine).map(({ area }) => areas[area].title);
  return [
    ...(accepted.length > 0 ? [fine('credentials', `accepted by ${accepted.join(', ')}`)] : []),
    ...read
      .filter((each) => !isFine(each))
      .map(({ area, text, cure }) => problem('credentials', `${areas[area].title}: ${text}`, cure)),
  ];
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
