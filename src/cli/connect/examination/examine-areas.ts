import { counted, type Environment, isLoopbackAddress, listed } from '../../../environment/index.ts';
import type { Exchange } from '../../../http/index.ts';
import { certificatesOf } from '../../../run/index.ts';
import { areas } from '../../../service/index.ts';
import { excerpt } from '../../../verdict/index.ts';
import { connectionCure, proxyVariables } from './explain.ts';
import { type Finding, fine, problem, warning } from './findings.ts';
import { plannedRead, type Read, withReader } from './harmless-requests.ts';
import { isFine, type Tried, tryAreas } from './try-areas.ts';

/** Examines every area for the doctor and the guided start, with requests that only read. Without `mayRead`, it sends no credential. */
export async function examineAreas(environment: Environment, mayRead = true): Promise<Finding[]> {
  if (!mayRead) return areaFindings(await tryAreas(environment), environment, []);
  return withReader(environment, async (read) => {
    const tried = await tryAreas(environment, read);
    return areaFindings(tried, environment, await refusalFindings(environment, tried, read));
  });
}

/**
 * Findings from the responses of the areas. `refusals` has the finding from a read without its credential. If this read has a success
 * status, too, the accepted reads don't show that the credentials are valid, so no finding says so.
 */
function areaFindings(tried: readonly Tried[], environment: Environment, refusals: readonly Finding[]): Finding[] {
  const accepted = refusals.every(({ severity }) => severity === 'fine') ? tried.filter(isFine) : [];
  // If areas share an address, prefer an exchange with a response, because another area's exchange may have none.
  const first = [...Map.groupBy(tried, ({ address }) => address).values()].flatMap(
    (all) => all.find(({ exchange }) => exchange.response) ?? all[0] ?? [],
  );
  const gone = first.filter(({ exchange }) => !exchange.response).map(({ address }) => address);
  return [
    ...first.map((each) => addressFinding(each, environment)),
    ...clearTextFindings(tried),
    ...responseFindings(
      accepted,
      // Leaves out unreachable addresses, because `addressFinding` reports them. Also leaves out a HEAD that failed at an address that
      // responds to other requests: the service may just not support HEAD.
      tried.filter((each) => !isFine(each) && !gone.includes(each.address) && (each.isRead || each.exchange.response)),
    ),
    ...refusals,
  ];
}

/** Finding on whether an address responds, and how long its certificate is valid. `now` is in ms since the epoch. */
export function addressFinding(
  { address, area, exchange }: Pick<Tried, 'address' | 'area' | 'exchange'>,
  { certificateWarningDays: warningDays }: Pick<Environment, 'certificateWarningDays'>,
  now = Date.now(),
  proxies = proxyVariables(),
): Finding {
  const { failure, durationMs } = exchange;
  if (failure) {
    const layer = { dns: 'DNS', tls: 'TLS' }[failure.phase as string] ?? 'connection';
    const cure = connectionCure(failure, areas[area].addressKey, proxies);
    return problem(layer, `${address} does not respond: ${failure.reason}`, cure, [areas[area].addressKey]);
  }
  const text = `${address} responds in ${Math.round(durationMs)} ms`;
  const [certificate] = certificatesOf([exchange], now);
  if (!certificate) return fine('address', text);
  const { daysLeft, authority } = certificate;
  const when = daysLeft < 0 ? `expired ${counted(-daysLeft, 'day')} ago` : `expires in ${counted(daysLeft, 'day')}`;
  const whose =
    authority === undefined ? 'its certificate' : `the certificate of its authority ${JSON.stringify(authority)}`;
  const left = `${text}; ${whose} ${when}`;
  const cure =
    authority === undefined
      ? 'renew it'
      : 'let the server send the authority’s new certificate, or renew its own certificate with a newer authority';
  return daysLeft >= warningDays ? fine('address', left) : warning('certificate', left, cure);
}

/** Warns of addresses on other machines without TLS: anybody between the machines can read the credentials. */
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

/** Findings on whether the service accepted the reads. Areas with the same result share one finding. */
function responseFindings(accepted: readonly Tried[], others: readonly Tried[]): Finding[] {
  const titles = (those: readonly Tried[]) => listed(those.map(({ area }) => areas[area].title));
  const read = accepted.filter(({ isRead }) => isRead);
  return [
    ...(read.length > 0 ? [fine('credentials', `accepted by ${titles(read)}`)] : []),
    ...[...Map.groupBy(others, ({ text, cure }) => `${text}\n${cure}`).values()].flatMap((met) => {
      const [first] = met;
      const keys = [...new Set(met.flatMap((each) => each.keys))];
      const subject = first?.state === 'refused' ? 'credentials' : 'response';
      return first ? [problem(subject, `${titles(met)}: ${first.text}`, first.cure, keys)] : [];
    }),
  ];
}

/**
 * Checks how the service refuses a request, because some APIs respond to every request with 200: repeats a read that the service accepted,
 * without its credential.
 */
async function refusalFindings(environment: Environment, tried: readonly Tried[], read: Read): Promise<Finding[]> {
  const accepted = tried.filter(({ state }) => state === 'accepted');
  const plan = accepted[0] && plannedRead(environment, accepted[0].area);
  if (!plan || environment.successWhen) return [];
  const isUser = plan.operation.headerSet === 'user';
  const refused = await read(plan, isUser ? 'authorization' : 'mm-api-key');
  return refusalFinding(refused, isUser ? 'its token' : 'its API key');
}

export function refusalFinding({ response }: Exchange, without: string): Finding[] {
  const { status = 0 } = response ?? {};
  if (status >= 400 && status < 500)
    return [fine('refusals', `a read without ${without} is refused with an error status (${status})`)];
  if (!response || status < 200 || status >= 300) return [];
  const text = `a read without ${without} has status ${status}, too: ${excerpt(response.body.text, 80)}`;
  const cure = 'if that response is a refusal, set SUCCESS_WHEN to what signals success in the body, e.g. /code=0';
  return [warning('refusals', text, cure, ['SUCCESS_WHEN'])];
}
