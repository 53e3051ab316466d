import { definedFields, type Environment } from '../../environment/index.ts';
import type { Exchange } from '../../http/index.ts';
import {
  type Cause,
  describeFailure,
  type Failing,
  healthOf,
  lostHostOf,
  type ScenarioResult,
} from '../../run/index.ts';
import type { CredentialKey } from '../../safety/index.ts';
import { type AreaId, areaIds, firstArea } from '../../service/index.ts';
import { frontDoorOf, verdicts } from '../../verdict/index.ts';

/** The findings of a `FailureLook` after a failure: which areas fail in the same way at the same time. */
export interface Alike {
  readonly areas: readonly AreaId[];
  /**
   * operation: only this operation fails · address: other operations at its address, or other areas, fail in the same way · unknown: the
   * monitor found nothing to compare the operation with.
   */
  readonly extent: 'operation' | 'address' | 'unknown';
  /** The areas that don't fail in the same way as the failed call: they respond, or accept the credential. */
  readonly working?: readonly AreaId[];
}

/** The addresses that a scenario calls, and how long a call may take, in ms. */
type Caller = Pick<Environment, 'addresses' | 'requestTimeoutMs'>;

export function areaOfFailure({ failing, exchanges, area }: ScenarioResult): AreaId {
  return (failing ?? exchanges.at(-1))?.area ?? (area === 'all' ? firstArea : area);
}

export function causeOf(result: ScenarioResult, caller: Caller, alike?: Alike): Cause {
  const { addresses } = caller;
  const { failing, failures: [first] = [], verdict } = result;
  const area = areaOfFailure(result);
  const { href: address, origin } = addresses[area];
  const credential = alike?.extent === 'operation' ? undefined : refusedCredential(result);
  const found = [area, ...(alike?.areas ?? [])];
  if (credential) return { kind: 'credential', address, name: credential, code: '401', ...reachOf(found, addresses) };
  if (healthOf(result) === 'degraded') return { kind: 'degraded', address, ...reachOf([area], addresses) };
  const { name = failing?.operation, asked }: Partial<Cause> = first ? describeFailure(first) : {};
  if (asked) return { kind: 'operation', address, ...definedFields({ name, asked }), ...reachOf([area], addresses) };
  if (verdicts[verdict].health === 'unknown') return { kind: 'unjudged', address, ...reachOf([area], addresses) };
  const lost = lostHostOf(result);
  const ending = lost ? { phase: lost.phase, code: lost.code } : badEndingOf(failing);
  if (lost) {
    const reach = reachOf(atAddressesOf(found, addresses), addresses);
    const isHost = reach.areas.length === areaIds.length;
    return { kind: isHost ? 'host' : 'address', address: isHost ? origin : address, ...ending, ...reach };
  }
  const isShared = ending !== undefined && (ending.phase !== 'response' || Number(ending.code) >= 500);
  if (isShared && alike?.extent === 'address') {
    // If the address responds with errors, the address itself works, and only some services behind it may fail. So the cause contains only
    // the areas that were found to fail.
    const { working = [] } = alike;
    const isError = ending.phase === 'response';
    const isPart = isError || working.some((id) => addresses[id].href === address);
    const reach = reachOf(isPart ? found : atAddressesOf(found, addresses), addresses);
    const isHost = !isError && isWholeHost(area, reach.areas, addresses);
    const afterMs = ending.code === 'DEADLINE' ? caller.requestTimeoutMs : undefined;
    return {
      kind: isHost ? 'host' : 'address',
      address: isHost ? origin : address,
      ...ending,
      ...definedFields({ afterMs }),
      ...reach,
    };
  }
  const isOpen = isShared && (alike?.extent ?? 'unknown') === 'unknown' ? ({ isOpen: true } as const) : {};
  return {
    kind: 'operation',
    address,
    ...definedFields({ name }),
    ...ending,
    ...isOpen,
    ...reachOf([area], addresses),
  };
}

/** How a call ended: in which phase, and with which code. */
export type Ending = Required<Pick<Cause, 'phase' | 'code'>>;

export function endingOf({ failure, response }: Exchange): Ending {
  if (failure) return { phase: failure.phase, code: failure.code };
  const door = frontDoorOf(response);
  return door ? { phase: 'front', code: door.says } : { phase: 'response', code: String(response?.status) };
}

function badEndingOf(failing: Exchange | undefined): Ending | undefined {
  const ending = failing && endingOf(failing);
  return ending && (ending.phase !== 'response' || Number(ending.code) >= 400) ? ending : undefined;
}

/** The key of the credential that the service refused (401), or that is known to be refused, so that the call was not sent. */
export function refusedCredential({ failing, failures: [first] = [] }: Pick<ScenarioResult, 'failing' | 'failures'>) {
  const isRefused = failing ? failing.response?.status === 401 : first?.refused;
  return isRefused ? (first?.credential as CredentialKey | undefined) : undefined;
}

/** All areas that have the same base address as one of the failing areas. */
function atAddressesOf(failing: readonly AreaId[], addresses: Caller['addresses']): AreaId[] {
  return areaIds.filter((area) => failing.some((one) => addresses[one].href === addresses[area].href));
}

/**
 * Whether `areas` are all areas of the host of `area`. False if the host has a single area, because then notices name the area instead of
 * the host.
 */
function isWholeHost(area: AreaId, areas: readonly AreaId[], addresses: Caller['addresses']): boolean {
  const ofHost = areaIds.filter((one) => addresses[one].hostname === addresses[area].hostname);
  return ofHost.length > 1 && ofHost.every((one) => areas.includes(one));
}

function reachOf(failing: readonly AreaId[], addresses: Caller['addresses']) {
  return {
    areas: areaIds.filter((area) => failing.includes(area)),
    addresses: [...new Set(failing.map((area) => addresses[area].href))],
  };
}

/** A key that is the same for equal causes, so that a large incident stores only a few causes. */
export function causeKey({ scenario, cause, reason }: Failing): string {
  return JSON.stringify([scenario.environment, cause, cause.kind === 'unjudged' && reason]);
}
