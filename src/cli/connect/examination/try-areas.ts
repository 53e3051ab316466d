import { NotIssued } from '../../../call/index.ts';
import type { Environment } from '../../../environment/index.ts';
import type { Exchange } from '../../../http/index.ts';
import { type AreaId, areaIds, areas } from '../../../service/index.ts';
import { connectionCure, type Explained, explainResponse, inBetween, proxyVariables } from './explain.ts';
import { type PlannedRead, pingAll, plannedRead, type Read } from './harmless-requests.ts';

export interface Tried extends Explained {
  readonly area: AreaId;
  readonly address: string;
  /** True for a read with the credentials, false for a `HEAD` without them. */
  readonly isRead: boolean;
  readonly exchange: Exchange;
}

/**
 * Tries each area: with a read if `read` is given and the area has a harmless request, otherwise with a `HEAD` without credentials. Sends
 * all `HEAD`s at the same time, and after them all reads.
 */
export async function tryAreas(environment: Environment, read?: Read): Promise<Tried[]> {
  const planned = areaIds.map((area) => ({ area, plan: read && plannedRead(environment, area) }));
  const pings = await pingAll(
    environment,
    planned.flatMap(({ area, plan }) => (plan ? [] : [area])),
  );
  return Promise.all(
    planned.map(async ({ area, plan }): Promise<Tried> => {
      const address = environment.addresses[area].href;
      const pinged = (exchange = pings.get(area) as Exchange): Tried => {
        return { area, address, exchange, isRead: false, ...explained(area, exchange, environment) };
      };
      if (!read || !plan) return pinged();
      try {
        const exchange = await read(plan);
        return { area, address, exchange, isRead: true, ...explained(area, exchange, environment, plan) };
      } catch (error) {
        if (!(error instanceof NotIssued)) throw error;
        const tried = pinged((await pingAll(environment, [area])).get(area));
        const cure = 'correct the command or the TOKEN_URL that issues it';
        return tried.exchange.response ? { ...tried, state: 'refused', text: error.message, cure, keys: [] } : tried;
      }
    }),
  );
}

function explained(area: AreaId, exchange: Exchange, { successWhen }: Environment, plan?: PlannedRead): Explained {
  const { response, failure } = exchange;
  const { addressKey } = areas[area];
  if (!response) {
    const cure = connectionCure(failure ?? { code: '' }, addressKey, proxyVariables());
    const text = failure?.reason ?? 'no response';
    return { state: 'unreachable', text, ...(cure ? { cure } : {}), keys: [addressKey] };
  }
  if (plan) return explainResponse(plan, exchange, response, successWhen);
  const { status } = response;
  return inBetween(status) ?? { state: 'reached', text: `responds (${status} to HEAD)`, keys: [] };
}

export function isFine({ state }: Pick<Tried, 'state'>): boolean {
  return state === 'accepted' || state === 'reached';
}
