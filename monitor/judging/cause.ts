import { areas } from '../../catalogue/index.ts';
import type { Exchange, Phase, Target } from '../../client/index.ts';
import type { ScenarioResult } from '../../resident/index.ts';
import type { Cause } from './flip.ts';

/** A call that ended in one of these never spoke to the service: its host is the cause. */
const hostPhases: readonly Phase[] = ['dns', 'connect', 'tls'];

/** Where a red result belongs: the host, when the connection failed; else the base address of the failing call. */
export function causeOf(
  { failing, exchanges, area }: Pick<ScenarioResult, 'failing' | 'exchanges' | 'area'>,
  { addresses }: Pick<Target, 'addresses'>,
): Cause {
  const call: Exchange | undefined = failing ?? exchanges.at(-1);
  const address = addresses[call?.area ?? (area === 'all' ? firstArea : area)];
  const isHost = call?.failure !== undefined && hostPhases.includes(call.failure.phase);
  return isHost ? { kind: 'host', address: address.origin } : { kind: 'address', address: address.href };
}

const [firstArea] = Object.keys(areas) as [keyof typeof areas];
