import { type Exchange, NotIssued, type SuccessRule } from '../../../client/index.ts';
import type { Environment } from '../../../config/index.ts';
import { type AreaId, areaIds, areas } from '../../../spec/index.ts';
import { connectionCure, type Explained, explainResponse, inBetween, proxyVariables } from './explain.ts';
import { pingAll, plannedRead, type Read } from './harmless-requests.ts';

export interface Tried extends Explained {
  readonly area: AreaId;
  readonly address: string;
  /** A read with the credentials, otherwise a `HEAD` without them. */
  readonly isRead: boolean;
  readonly exchange: Exchange;
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
): Explained {
  const { response, failure } = exchange;
  const { addressKey } = areas[area];
  if (!response) {
    const cure = connectionCure(failure ?? { code: '' }, addressKey, proxyVariables());
    return { state: 'unreachable', text: failure?.reason ?? 'no response', cure, keys: [addressKey] };
  }
  if (!('why' in plan)) return explainResponse(plan, exchange, response, rule);
  const { status } = response;
  return inBetween(status) ?? { state: 'reached', text: `answers (${status} to HEAD)`, keys: [] };
}

export function isFine({ state }: Pick<Tried, 'state'>): boolean {
  return state === 'accepted' || state === 'reached';
}
