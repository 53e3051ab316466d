import { type Pin, reasonOfCode } from '../../../client/index.ts';
import {
  counted,
  credentialCure,
  credentialEnds,
  credentialEndText,
  type Environment,
  endingCredentials,
} from '../../../config/index.ts';
import { areaIds, areas } from '../../../spec/index.ts';
import { connectionCure, proxyVariables } from '../connection-test/connection-cure.ts';
import type { Ping } from '../connection-test/ping.ts';
import { isFine, type Tried } from '../connection-test/try-areas.ts';
import { type Finding, fine, note, problem, warning } from './findings.ts';

/** Whether each address answers, and how long its certificate is valid. */
export function addressFindings(
  { addresses, certificateWarningDays }: Pick<Environment, 'addresses' | 'certificateWarningDays'>,
  pings: readonly Ping[],
): Finding[] {
  const context = { now: Date.now(), warningDays: certificateWarningDays, proxies: proxyVariables() };
  return pings.map((ping) => {
    const area = areaIds.find((each) => addresses[each].href === ping.address);
    return addressFinding(ping, { ...context, key: area ? areas[area].addressKey : 'its address' });
  });
}

const DAY_MS = 86_400_000;

interface AddressContext {
  /** Epoch, in ms. */
  readonly now: number;
  readonly warningDays: number;
  readonly proxies: readonly string[];
  /** The key of the address. */
  readonly key: string;
}

export function addressFinding(
  { address, status, failure, code = '', ms, certificateEnds }: Ping,
  { now, warningDays, proxies, key }: AddressContext,
): Finding {
  if (failure !== undefined) {
    const text = `${address} does not answer: ${reasonOfCode(code) ?? failure}`;
    return problem(layerOf(code), text, connectionCure({ code }, key, proxies));
  }
  const text = `${address} answers (${status}) in ${Math.round(ms)} ms`;
  if (certificateEnds === undefined) return fine('address', text);
  const days = Math.floor((certificateEnds - now) / DAY_MS);
  const left = `${text}; its certificate expires in ${counted(days, 'day')}`;
  return days >= warningDays ? fine('address', left) : warning('certificate', left, 'renew it');
}

/** What kept an address from answering, by its code. */
function layerOf(code: string): string {
  if (/^(ENOTFOUND|EAI_)/.test(code)) return 'DNS';
  return /CERT|SSL|TLS|EPROTO|SIGNATURE/.test(code) ? 'TLS' : 'connection';
}

/** In ms. Tokens that carry a time, and every time in a report, are off by as much. */
const NOTABLE_SKEW_MS = 5_000;
const SEVERE_SKEW_MS = 300_000;

/** This machine's clock against the servers'; the farthest counts. */
export function clockFinding(pings: readonly Pick<Ping, 'address' | 'clockAheadMs'>[]): Finding {
  const known = pings.flatMap(({ address, clockAheadMs: ahead }) => (ahead === undefined ? [] : [{ address, ahead }]));
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
  const read = tried.filter(({ exchange }) => exchange !== undefined);
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
