import type { Pin } from '../../../client/index.ts';
import {
  counted,
  credentialCure,
  credentialEnds,
  credentialEndText,
  type Environment,
  endingCredentials,
} from '../../../config/index.ts';
import { certificatesOf } from '../../../runner/index.ts';
import { areaIds, areas, firstArea } from '../../../spec/index.ts';
import { connectionCure, proxyVariables } from '../connection-test/connection-cure.ts';
import { clockAhead, type Ping } from '../connection-test/ping.ts';
import { isFine, type Tried } from '../connection-test/try-areas.ts';
import { type Finding, fine, note, problem, warning } from './findings.ts';

/** Whether an address answers, and how long its certificate is valid. `now` is an epoch, in ms. */
export function addressFinding(
  { address, areas: [area = firstArea], exchange }: Ping,
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
export function clockFinding(pings: readonly Ping[]): Finding {
  const known = pings.flatMap(({ address, exchange }) => {
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
  const read = tried.filter(({ isRead }) => isRead);
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
