import { statSync } from 'node:fs';
import { type Pin, reasonOfCode } from '../../../client/index.ts';
import { shown } from '../../../config/files/shown.ts';
import {
  counted,
  credentialCure,
  credentialEnds,
  credentialEndText,
  type Environment,
  endingCredentials,
  environmentFiles,
} from '../../../config/index.ts';
import { keptDrill, settingsOf } from '../../../fault-injection/service/kept.ts';
import { hasConsent, readJournals, runLocks, unseenText, unusedItems } from '../../../scenario/index.ts';
import { areaIds, areas } from '../../../spec/index.ts';
import { withService } from '../../serving/embedded-service.ts';
import { connectionCure, proxyVariables } from '../connection-test/connection-cure.ts';
import { type Ping, pingAll } from '../connection-test/ping.ts';
import { Reader } from '../connection-test/reader.ts';
import { isFine } from '../connection-test/summary.ts';
import { type Tried, tryAreas } from '../connection-test/try-areas.ts';
import { type Diagnosis, fine } from './diagnosis.ts';

/** What holds for one environment; asks its addresses, and reads with its credentials where a run was agreed to. */
export async function examineEnvironment(environment: Environment): Promise<Diagnosis[]> {
  const { name, data } = environment;
  const secretFile = environmentFiles(name).secret;
  const isAgreed = hasConsent(environment);
  const drill = keptDrill(name);
  const journals = readJournals(name).map(({ path, pending, unseen, damaged, live }) => ({
    path: shown(path),
    pending: pending.map(({ change, args, userId }) => `${change} ${JSON.stringify(args)} of ${userId}`),
    unseen: unseen.map(unseenText),
    damaged: damaged.length,
    live,
  }));
  const asked = await withService(environment, (at) => askedOf(at, isAgreed));
  return [
    ...asked,
    ...credentialEndDiagnoses(environment, Date.now()),
    consentDiagnosis(name, isAgreed),
    ...[secretFileDiagnosis(shown(secretFile), modeOf(secretFile))].filter((each) => each !== undefined),
    ...[drillDiagnosis(name, drill && { ...drill, isCurrent: drill.settings === settingsOf(environment) })].filter(
      (each) => each !== undefined,
    ),
    itemsDiagnosis(data.storedItemIds.length, unusedItems(name, data.storedItemIds).length),
    journalDiagnosis(name, journals),
    lockDiagnosis(runLocks(environment)),
  ];
}

async function askedOf(environment: Environment, isAgreed: boolean): Promise<Diagnosis[]> {
  const pings = await pingAll(environment);
  const found = [...addressDiagnoses(environment, pings), clockDiagnosis(pings), ...routeDiagnoses(environment)];
  if (!isAgreed || !pings.some(({ failure }) => failure === undefined)) return found;
  const reader = new Reader(environment);
  try {
    return [...found, ...credentialDiagnoses(await tryAreas(environment, reader))];
  } finally {
    await reader.close();
  }
}

/** Whether each address answers, and how long its certificate is valid. */
export function addressDiagnoses(
  { addresses, certificateWarningDays: warningDays }: Pick<Environment, 'addresses' | 'certificateWarningDays'>,
  pings: readonly Ping[],
): Diagnosis[] {
  const context = { now: Date.now(), warningDays, proxies: proxyVariables() };
  return pings.map((ping) => {
    const area = areaIds.find((each) => addresses[each].href === ping.address);
    return addressDiagnosis(ping, { ...context, key: area ? areas[area].addressKey : 'its address' });
  });
}

function modeOf(path: string): number | undefined {
  return process.platform === 'win32' ? undefined : statSync(path, { throwIfNoEntry: false })?.mode;
}

const DAY_MS = 86_400_000;

/** What kept an address from answering, by its code. */
function layerOf(code: string): string {
  if (/^(ENOTFOUND|EAI_)/.test(code)) return 'DNS';
  return /CERT|SSL|TLS|EPROTO|SIGNATURE/.test(code) ? 'TLS' : 'connection';
}

export interface AddressContext {
  /** Epoch, in ms. */
  readonly now: number;
  readonly warningDays: number;
  readonly proxies: readonly string[];
  /** The key of the address. */
  readonly key: string;
}

/** Whether an address answers, and how long its certificate is valid. */
export function addressDiagnosis(
  { address, status, failure, code = '', ms, certificateEnds }: Ping,
  { now, warningDays, proxies, key }: AddressContext,
): Diagnosis {
  if (failure !== undefined)
    return {
      subject: layerOf(code),
      severity: 'problem',
      text: `${address} does not answer: ${reasonOfCode(code) ?? failure}`,
      cure: connectionCure({ code }, key, proxies),
    };
  const text = `${address} answers (${status}) in ${Math.round(ms)} ms`;
  if (certificateEnds === undefined) return fine('address', text);
  const days = Math.floor((certificateEnds - now) / DAY_MS);
  const left = `${text}; its certificate expires in ${counted(days, 'day')}`;
  if (days >= warningDays) return fine('address', left);
  return { subject: 'certificate', severity: 'warning', text: left, cure: 'renew it' };
}

/** In ms. Tokens that carry a time, and every time in a report, are off by as much. */
const NOTABLE_SKEW_MS = 5_000;
const SEVERE_SKEW_MS = 300_000;

/** This machine's clock against the servers'; the farthest counts. */
export function clockDiagnosis(pings: readonly Pick<Ping, 'address' | 'clockAheadMs'>[]): Diagnosis {
  const known = pings.flatMap(({ address, clockAheadMs }) =>
    clockAheadMs === undefined ? [] : [{ address, ahead: clockAheadMs }],
  );
  const [farthest] = known.sort((a, b) => Math.abs(b.ahead) - Math.abs(a.ahead));
  if (!farthest) return { subject: 'clock', severity: 'note', text: 'not compared: no server sent its time (Date)' };
  const { address, ahead } = farthest;
  const skew = Math.abs(ahead);
  if (skew < NOTABLE_SKEW_MS) return fine('clock', 'agrees with the servers');
  return {
    subject: 'clock',
    severity: skew < SEVERE_SKEW_MS ? 'warning' : 'problem',
    text: `this machine is ${Math.round(skew / 1_000)} s ${ahead > 0 ? 'behind' : 'ahead of'} ${address}`,
    cure: 'set the clock of this machine (NTP), or that of the server',
  };
}

/** Whether the credentials are accepted, from a read in each area that has one. */
export function credentialDiagnoses(tried: readonly Tried[]): Diagnosis[] {
  const read = tried.filter(({ exchange }) => exchange !== undefined);
  const failing = read.filter((each) => !isFine(each));
  const accepted = read.filter(isFine).map(({ area }) => areas[area].title);
  return [
    ...(accepted.length > 0 ? [fine('credentials', `accepted by ${accepted.join(', ')}`)] : []),
    ...failing.map(
      ({ area, text, cure }): Diagnosis => ({
        subject: 'credentials',
        severity: 'problem',
        text: `${areas[area].title}: ${text}`,
        ...(cure ? { cure } : {}),
      }),
    ),
  ];
}

/** The proxies that the addresses are reached through, and where connections to them go instead. */
export function routeDiagnoses({ addresses, route }: Pick<Environment, 'addresses' | 'route'>): Diagnosis[] {
  const proxies = areaIds.flatMap((area) => route?.proxyFor(addresses[area])?.url.origin ?? []);
  const text = ({ host, port }: Pin['to']) => (port === undefined ? host : `${host}:${port}`);
  return [
    ...[...new Set(proxies)].map((origin) => fine('proxy', `${origin} is used`)),
    ...(route?.pins ?? []).map(({ from, to }) => fine('connection', `${text(from)} is ${text(to)} here (CONNECT_TO)`)),
  ];
}

/** When each credential ends, as far as that can be read. */
export function credentialEndDiagnoses(environment: Environment, now: number): Diagnosis[] {
  const ending = endingCredentials(environment, now);
  const others = credentialEnds(environment).filter(({ key }) => !ending.some((each) => each.key === key));
  return [
    ...others.map(({ key, endsAt, isRenewed }) =>
      fine('expiry', `${key} ${isRenewed ? 'is renewed' : 'expires'} at ${new Date(endsAt).toISOString()}`),
    ),
    ...ending.map(
      (end): Diagnosis => ({
        subject: 'expiry',
        severity: end.endsAt > now ? 'warning' : 'problem',
        text: credentialEndText(end, now),
        cure: credentialCure(end),
      }),
    ),
  ];
}

export function consentDiagnosis(name: string, isGiven: boolean): Diagnosis {
  if (isGiven) return fine('consent', 'given, or not needed');
  return {
    subject: 'consent',
    severity: 'note',
    text: 'not given with these settings, so nothing was sent with credentials',
    cure: `npx sextant check --env ${name} asks for it`,
  };
}

export function itemsDiagnosis(ids: number, unused: number): Diagnosis {
  const subject = 'stored items';
  if (ids === 0) return { subject, severity: 'note', text: 'no STORED_ITEM_IDS: deletion is not tested' };
  if (unused > 0) return fine(subject, `${unused} of ${counted(ids, 'id')} left to delete`);
  return {
    subject,
    severity: 'warning',
    text: `${ids === 1 ? 'the only id is' : `all ${ids} ids are`} used up: deletion is skipped`,
    cure: 'put new ids into STORED_ITEM_IDS',
  };
}

export interface JournalFacts {
  readonly path: string;
  /** Changes that are not undone, in words. */
  readonly pending: readonly string[];
  /** Undos that nothing shows, in words. */
  readonly unseen: readonly string[];
  readonly damaged: number;
  /** Its run is still going on. */
  readonly live: boolean;
}

export function journalDiagnosis(name: string, journals: readonly JournalFacts[]): Diagnosis {
  const subject = 'undo journal';
  const dead = journals.filter(({ live }) => !live);
  const damaged = dead.filter((each) => each.damaged > 0);
  const pending = dead.flatMap((each) => each.pending);
  if (damaged.length > 0)
    return {
      subject,
      severity: 'problem',
      text: `${damaged.map(({ path }) => path).join(', ')} ${damaged.length === 1 ? 'is' : 'are'} damaged: what a run changed may be lost`,
      cure: `look at it, then npx sextant undo --env ${name}`,
    };
  if (pending.length > 0)
    return {
      subject,
      severity: 'warning',
      text: `${counted(pending.length, 'change')} left behind by an earlier run: ${pending.slice(0, 3).join(', ')}${pending.length > 3 ? ' …' : ''}`,
      cure: `npx sextant undo --env ${name}; the next run takes it back, too`,
    };
  const unseen = dead.flatMap((each) => each.unseen);
  if (unseen.length > 0)
    return {
      subject,
      severity: 'note',
      text: unseen.join('; '),
      cure: 'the next run that makes the same change shows it',
    };
  const running = journals.filter(({ live }) => live).length;
  return fine(subject, running > 0 ? `${counted(running, 'run')} under way` : 'nothing left behind');
}

/** Whether what a drill found still holds; `undefined` where there was none. */
export function drillDiagnosis(
  name: string,
  drill: { readonly drilledAt: number; readonly isComplete: boolean; readonly isCurrent: boolean } | undefined,
): Diagnosis | undefined {
  if (!drill) return undefined;
  const subject = 'drill';
  const text = `drilled on ${new Date(drill.drilledAt).toISOString().slice(0, 10)}`;
  const cure = `npx sextant drill --env ${name}`;
  if (!drill.isCurrent)
    return { subject, severity: 'warning', text: `${text}, before the configuration was changed`, cure };
  return drill.isComplete ? fine(subject, text) : { subject, severity: 'note', text: `${text}, not to its end`, cure };
}

export function lockDiagnosis(locks: readonly { readonly pid: number; readonly live: boolean }[]): Diagnosis {
  const subject = 'run locks';
  const live = locks.filter((each) => each.live);
  if (live.length === 0) return fine(subject, 'none held');
  const pids = [...new Set(live.map(({ pid }) => pid))];
  return {
    subject,
    severity: 'note',
    text: `held by process ${pids.join(', ')}: another run with the same users waits for it`,
    cure: 'wait, end that run, or give each run separate users with PROVISION_URL',
  };
}

/** Permissions of the file with the secrets; `mode` is absent where there is none, or on Windows. */
export function secretFileDiagnosis(path: string, mode: number | undefined): Diagnosis | undefined {
  if (mode === undefined) return undefined;
  if ((mode & 0o077) === 0) return fine('secrets', `${path} is for its owner alone`);
  return {
    subject: 'secrets',
    severity: 'warning',
    text: `${path} can be read by other users (mode ${(mode & 0o777).toString(8).padStart(4, '0')})`,
    cure: `chmod 600 ${path}`,
  };
}
