import { counted, type Environment, isLoopbackAddress, listed } from '../../../config/index.ts';
import { certificatesOf } from '../../../runner/index.ts';
import { areas } from '../../../spec/index.ts';
import { connectionCure, proxyVariables } from './explain.ts';
import { type Finding, fine, note, problem, warning } from './findings.ts';
import { clockAhead } from './harmless-requests.ts';
import { isFine, type Tried } from './try-areas.ts';

/** The responses of the areas as findings. The doctor and the guided start share this examination. */
export function areaFindings(
  tried: readonly Tried[],
  environment: Pick<Environment, 'certificateWarningDays'>,
): Finding[] {
  const first = [...Map.groupBy(tried, ({ address }) => address).values()].flatMap(([each]) => each ?? []);
  return [
    ...first.map((each) => addressFinding(each, environment)),
    clockFinding(first),
    ...clearTextFindings(tried),
    ...responseFindings(tried),
  ];
}

type Asked = Pick<Tried, 'address' | 'area' | 'exchange'>;

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
    return problem(layer, `${address} does not answer: ${failure.reason}`, cure, [areas[area].addressKey]);
  }
  const text = `${address} answers (${response?.status}) in ${Math.round(durationMs)} ms`;
  const [certificate] = certificatesOf([exchange], now);
  if (!certificate) return fine('address', text);
  const { daysLeft } = certificate;
  const when = daysLeft < 0 ? `expired ${counted(-daysLeft, 'day')} ago` : `expires in ${counted(daysLeft, 'day')}`;
  const left = `${text}; its certificate ${when}`;
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

/** Credentials that anybody on the way to another machine can read. */
export function clearTextFindings(tried: readonly Pick<Tried, 'area' | 'address'>[]): Finding[] {
  const inClear = tried.filter(({ address }) => {
    const url = new URL(address);
    return url.protocol === 'http:' && !isLoopbackAddress(url);
  });
  if (inClear.length === 0) return [];
  const hosts = listed([...new Set(inClear.map(({ address }) => new URL(address).host))]);
  const keys = inClear.map(({ area }) => areas[area].addressKey);
  const text = `tokens and keys go to ${hosts} in the clear: ${listed(keys)} begin${keys.length === 1 ? 's' : ''} with http://`;
  return [warning('credentials', text, 'use https://, or an address that only this machine reaches', keys)];
}

/** Whether the service accepted the reads. Areas with the same result share one finding. */
function responseFindings(tried: readonly Tried[]): Finding[] {
  // An area without a response has a finding about its address already.
  const read = tried.filter(({ isRead, state }) => state !== 'unreachable' && (isRead || state !== 'reached'));
  const titles = (those: readonly Tried[]) => listed(those.map(({ area }) => areas[area].title));
  const accepted = read.filter(isFine);
  const others = Map.groupBy(
    read.filter((each) => !isFine(each)),
    ({ text, cure }) => `${text}\n${cure}`,
  );
  return [
    ...(accepted.length > 0 ? [fine('credentials', `accepted by ${titles(accepted)}`)] : []),
    ...[...others.values()].flatMap((met) => {
      const [first] = met;
      const keys = [...new Set(met.flatMap((each) => each.keys))];
      const subject = first?.state === 'refused' ? 'credentials' : 'response';
      return first ? [problem(subject, `${titles(met)}: ${first.text}`, first.cure, keys)] : [];
    }),
  ];
}
