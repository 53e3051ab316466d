import { type ServiceUnderTest, verdicts } from '../../client/index.ts';
import { hostFailureOf, type ScenarioResult } from '../../runner/index.ts';
import { areaIds } from '../../spec/index.ts';
import type { Cause } from './flip.ts';

/** The cause of a failure: the host if no connection was possible, otherwise the base address of the failing call. */
export function causeOf(result: ScenarioResult, { addresses }: Pick<ServiceUnderTest, 'addresses'>): Cause {
  const { failing, exchanges, area, verdict } = result;
  const call = failing ?? exchanges.at(-1);
  const [firstArea] = areaIds as [(typeof areaIds)[number]];
  const address = addresses[call?.area ?? (area === 'all' ? firstArea : area)];
  // Unreachable without a call: the host was probed instead (`provisionerFallback`).
  const isHost = hostFailureOf(result) !== undefined || (verdicts[verdict].fellShort === 'connection' && !call);
  return isHost ? { kind: 'host', address: address.origin } : { kind: 'address', address: address.href };
}
