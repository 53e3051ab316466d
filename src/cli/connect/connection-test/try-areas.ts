import { type Exchange, reasonOfCode } from '../../../client/index.ts';
import type { Environment } from '../../../config/index.ts';
import {
  type AreaId,
  areaIds,
  areas,
  type HeaderSetId,
  headerSets,
  operation,
  operationIds,
} from '../../../spec/index.ts';
import { connectionCure, proxyVariables } from './connection-cure.ts';
import { type Explained, explainResponse, inBetween } from './explain-response.ts';
import { type Ping, pingAll } from './ping.ts';
import type { Reader } from './reader.ts';
import { type PlannedRead, plannedRead } from './reader.ts';

/** What trying an area has shown. */
export interface Tried extends Explained {
  readonly area: AreaId;
  readonly ms: number;
  /** The code of a failed connection. */
  readonly code?: string;
  /** More about what was tried. */
  readonly note?: string;
  /** Headers that identify the caller in this area, sent or not. */
  readonly headers: number;
  /** Expiry of the certificate; epoch, in ms. */
  readonly certificateEnds?: number;
  /** The response to the read. */
  readonly exchange?: Exchange;
}

/**
 * Tries each area: with a read where there is one, otherwise with a `HEAD` without credentials. Requests go side by side, one
 * for each area.
 */
export async function tryAreas(environment: Environment, reader: Reader, proxies = proxyVariables()): Promise<Tried[]> {
  const planned = areaIds.map((area) => ({ area, plan: plannedRead(environment, area) }));
  const silent = planned.flatMap(({ area, plan }) => ('why' in plan ? [area] : []));
  const pings = silent.length > 0 ? await pingAll(environment, { areas: silent }) : [];
  return Promise.all(
    planned.map(async ({ area, plan }) => {
      if ('why' in plan) return fromPing(environment, area, plan.why, pings, proxies);
      return fromExchange(environment, plan, await reader.read(plan), proxies);
    }),
  );
}

function fromExchange(
  { successWhen }: Environment,
  read: PlannedRead,
  exchange: Exchange,
  proxies: readonly string[],
): Tried {
  const { area, headerSet } = read.operation;
  const { response, failure, durationMs, certificateValidTo } = exchange;
  const explained: Explained = response
    ? explainResponse(read, exchange, response, successWhen)
    : {
        state: 'unreachable',
        text: failure?.reason ?? 'no response',
        cure: connectionCure(failure ?? { code: '' }, areas[area].addressKey, proxies),
        keys: [areas[area].addressKey],
      };
  return {
    ...explained,
    area,
    ms: durationMs,
    headers: headerSets[headerSet].length,
    exchange,
    ...(failure ? { code: failure.code } : {}),
    ...(certificateValidTo === undefined ? {} : { certificateEnds: certificateValidTo }),
  };
}

function fromPing(
  { addresses }: Environment,
  area: AreaId,
  why: string,
  pings: readonly Ping[],
  proxies: readonly string[],
): Tried {
  const { addressKey, title } = areas[area];
  const ping = pings.find((each) => each.address === addresses[area].href && each.areas.includes(title));
  const { status, failure = 'no response', code = '', ms = 0, certificateEnds } = ping ?? {};
  const rest = { area, ms, headers: headersOf(area), ...(certificateEnds === undefined ? {} : { certificateEnds }) };
  const other = status === undefined ? undefined : inBetween(status);
  if (other) return { ...rest, ...other };
  if (status !== undefined)
    return { ...rest, state: 'reached', text: `answers (${status} to HEAD)`, note: why, keys: [] };
  return {
    ...rest,
    state: 'unreachable',
    text: reasonOfCode(code) ?? failure,
    code,
    cure: connectionCure({ code }, addressKey, proxies),
    keys: [addressKey],
  };
}

/** The headers of an area's operations; 0 as long as a new area has none. */
function headersOf(area: AreaId): number {
  const sets = operationIds.map(operation).filter((entry) => entry.area === area);
  return Math.max(0, ...sets.map(({ headerSet }) => headerSets[headerSet satisfies HeaderSetId].length));
}
