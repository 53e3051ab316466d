import { type Exchange, NotIssued, type SuccessRule } from '../../../client/index.ts';
import { counted, type Environment, listed } from '../../../config/index.ts';
import { certificatesOf } from '../../../runner/index.ts';
import { type AreaId, areaIds, areas, headerSets, operation, operationIds } from '../../../spec/index.ts';
import {
  connectionCure,
  type Explained,
  explainResponse,
  inBetween,
  isNetworkCode,
  proxyVariables,
} from './explain.ts';
import { pingAll, plannedRead, type Read } from './harmless-requests.ts';

export interface Tried extends Explained {
  readonly area: AreaId;
  readonly address: string;
  readonly note?: string;
  /** A read with the credentials, otherwise a `HEAD` without them. */
  readonly isRead: boolean;
  readonly exchange: Exchange;
}

export interface Outcome {
  readonly environment: Environment;
  readonly tried: readonly Tried[];
}

/**
 * Tries each area: with a read where there may be one, otherwise with a `HEAD` without credentials. Requests go side by side, one
 * for each area.
 */
export async function tryAreas(environment: Environment, read?: Read): Promise<Tried[]> {
  const planned = areaIds.map((area) => ({ area, plan: read ? plannedRead(environment, area) : NOT_READ }));
  const silent = planned.flatMap(({ area, plan }) => ('why' in plan ? [area] : []));
  const pings = await pingAll(environment, silent);
  return Promise.all(
    planned.map(async ({ area, plan }): Promise<Tried> => {
      const isRead = !('why' in plan);
      const address = environment.addresses[area].href;
      try {
        const exchange = read && isRead ? await read(plan) : (pings.get(area) as Exchange);
        return { area, address, exchange, isRead, ...explained(area, exchange, plan, environment.successWhen) };
      } catch (error) {
        if (!(error instanceof NotIssued)) throw error;
        const exchange = (await pingAll(environment, [area])).get(area) as Exchange;
        const refused = { state: 'refused', text: error.message, cure: 'correct what issues it', keys: [] } as const;
        const why = exchange.response ? refused : explained(area, exchange, plan, undefined);
        return { area, address, exchange, isRead: false, ...why };
      }
    }),
  );
}

const NOT_READ = { why: 'nothing is read without consent' };

function explained(
  area: AreaId,
  exchange: Exchange,
  plan: ReturnType<typeof plannedRead>,
  rule: SuccessRule | undefined,
): Explained & Pick<Tried, 'note'> {
  const { response, failure } = exchange;
  const { addressKey } = areas[area];
  if (!response) {
    const cure = connectionCure(failure ?? { code: '' }, addressKey, proxyVariables());
    return { state: 'unreachable', text: failure?.reason ?? 'no response', cure, keys: [addressKey] };
  }
  if (!('why' in plan)) return explainResponse(plan, exchange, response, rule);
  const { status } = response;
  const reached = { state: 'reached', text: `answers (${status} to HEAD)`, note: plan.why, keys: [] } as const;
  return inBetween(status) ?? reached;
}

/** The headers of an area's operations; 0 as long as a new area has none. */
function headersOf(area: AreaId): number {
  const own = operationIds.map(operation).filter((entry) => entry.area === area);
  return Math.max(0, ...own.map(({ headerSet }) => headerSets[headerSet].length));
}

/** One line for each area, for a terminal of 80 columns: what it answered, then what can be done. `now` is an epoch, in ms. */
export function triedLines(all: readonly Tried[], now: number): string[] {
  const width = Math.max(...all.map(({ area }) => areas[area].title.length));
  return all.flatMap((tried) => {
    const { area, text, state, cure, note, exchange } = tried;
    const headers = headersOf(area);
    const details = [
      ...(state === 'unreachable' ? [] : [`${Math.round(exchange.durationMs)} ms`]),
      ...(state === 'accepted' ? [`credentials accepted, ${counted(headers, 'header')} sent`] : []),
      ...(state === 'reached' && headers > 0 ? [`its ${counted(headers, 'header')} have values`] : []),
      ...certificatesOf([exchange], now).map(({ daysLeft }) => `certificate: ${counted(daysLeft, 'day')} left`),
    ];
    const title = areas[area].title.padEnd(width);
    const indent = ' '.repeat(width + 4);
    return [
      `  ${title}  ${isFine(tried) ? '✓' : '✗'} ${text}`,
      ...(details.length > 0 ? [`${indent}${details.join(', ')}`] : []),
      ...(note ? [`${indent}${note}`] : []),
      ...(cure ? [`${indent}${cure}`] : []),
    ];
  });
}

export function isFine({ state }: Pick<Tried, 'state'>): boolean {
  return state === 'accepted' || state === 'reached';
}

/** `3 areas reached, friends refused (401): check ACCESS_TOKEN …`; what several areas have in common is said once. */
export function summaryLine(all: readonly Tried[]): string {
  const reached = all.filter(isFine).length;
  return [`${reached === 0 ? 'no area' : counted(reached, 'area')} reached`, ...problemsOf(all)].join(', ');
}

export function problemsOf(all: readonly Tried[]): string[] {
  const others = Map.groupBy(
    all.filter((tried) => !isFine(tried)),
    ({ state, text }) => (state === 'unreachable' ? `unreachable (${text})` : text),
  );
  return [...others].map(([text, met]) => {
    const cures = [...new Set(met.flatMap(({ cure }) => (cure ? [cure] : [])))];
    return `${listed(met.map(({ area }) => area))} ${text}: ${cures.join('; ')}`;
  });
}

/** A cause that several areas have in common, in a sentence; `undefined` if each has one to itself, or none. */
export function commonCause(all: readonly Tried[]): string | undefined {
  const read = all.filter(({ isRead }) => isRead);
  const every = (test: (tried: Tried) => boolean) => read.length > 1 && read.every(test);
  if (every(({ exchange }) => exchange.response?.status === 404))
    return 'Every path was answered with 404: the addresses probably lack a prefix that they have in common (e.g. /api), or have one too many.';
  if (every(({ state, text }) => state === 'odd' && text.includes('a page')))
    return 'Every address answers with a page: a login page or a captive portal may be between this machine and the service.';
  if (all.every(({ exchange: { failure } }) => failure && isNetworkCode(failure.code)))
    return 'No address can be reached from here: a VPN, a proxy or a firewall may be between this machine and the service.';
  return undefined;
}
