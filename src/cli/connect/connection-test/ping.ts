import { type Exchange, header, Redactor, send, userAgent } from '../../../client/index.ts';
import type { Environment } from '../../../config/index.ts';
import { nodeTransports } from '../../../scenario/index.ts';
import { type AreaId, areaIds, firstArea, readProfile } from '../../../spec/index.ts';

/** A base address with the areas that it serves, and what came of a `HEAD`; any status counts as a response. */
export interface Ping {
  readonly address: string;
  readonly areas: readonly AreaId[];
  readonly exchange: Exchange;
}

/** Sends one `HEAD` to each base address, or those of `asked`, without credentials. */
export async function pingAll(environment: Environment, asked: readonly AreaId[] = areaIds): Promise<Ping[]> {
  const { addresses, requestTimeoutMs: timeoutMs, maxAnswerBytes: maxBytes, route, secrets } = environment;
  const transports = nodeTransports(environment);
  const options = { timeoutMs, maxBytes, redactor: new Redactor(secrets), route };
  // A response to HEAD has no body to unpack.
  const headers = { 'accept-encoding': 'identity' };
  const byAddress = Map.groupBy(asked, (area) => addresses[area].href);
  try {
    return await Promise.all(
      [...byAddress].map(async ([address, areas]) => {
        const [area = firstArea] = areas;
        const request = { method: 'HEAD', url: address, headers, credentials: new Map() };
        const transport = await transports.of(area);
        const asking = { ...readProfile, area, method: 'GET', path: '/v1/' } as const;
        const exchange = await send(transport, asking, request, { 'user-agent': userAgent }, options);
        return { address, areas, exchange };
      }),
    );
  } finally {
    await transports.dispose();
  }
}

/**
 * By how much the server's clock (its `Date` header, in whole seconds) is ahead of this machine's, in ms; 0 where it lies within the
 * request, nothing where it isn't known.
 */
export function clockAhead({ response, startedAt, durationMs }: Exchange): number | undefined {
  const shown = Date.parse((response && header(response, 'date')) ?? '');
  if (Number.isNaN(shown)) return undefined;
  if (shown + 1_000 <= startedAt) return shown + 1_000 - startedAt;
  return Math.max(0, shown - startedAt - Math.ceil(durationMs));
}
