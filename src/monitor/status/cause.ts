import { definedFields, type Environment } from '../../environment/index.ts';
import type { Exchange, Phase } from '../../http/index.ts';
import { type Cause, type Failing, hostFailureOf, type ScenarioResult } from '../../run/index.ts';
import { credentialKey } from '../../safety/index.ts';
import { type AreaId, areaIds, firstArea, operation, operations } from '../../service/index.ts';
import { frontDoorOf, verdicts } from '../../verdict/index.ts';

/** The look's result: which areas fail in the same way at the same time. */
export interface Alike {
  readonly areas: readonly AreaId[];
  /** Whether other operations of the failing call's own address fail, too; absent: there are none to ask. */
  readonly isWhole?: boolean;
  /** The areas that respond otherwise: they accept the credential, or don't fail. */
  readonly working?: readonly AreaId[];
  /** Where the host was asked in place of a call that could not be made. */
  readonly phase?: Phase;
  readonly code?: string;
}

/** Where and as whom a scenario calls. */
type Caller = Pick<Environment, 'addresses' | 'friend' | 'requestTimeoutMs'>;

export function areaOfFailure({ failing, exchanges, area }: ScenarioResult): AreaId {
  return (failing ?? exchanges.at(-1))?.area ?? (area === 'all' ? firstArea : area);
}

export function causeOf(result: ScenarioResult, caller: Caller, alike?: Alike, held?: string): Cause {
  const { addresses } = caller;
  const { failing, verdict } = result;
  const area = areaOfFailure(result);
  const { href: address, origin } = addresses[area];
  const refused = alike?.isWhole === false ? undefined : refusedCredential(result, caller);
  const credential = held ?? refused;
  const found = [area, ...(alike?.areas ?? [])];
  if (credential) return { kind: 'credential', address, name: credential, code: '401', ...reachOf(found, addresses) };
  const { drift, unseen } = result.failures?.[0] ?? {};
  if (drift) {
    const { asked } = drift;
    return {
      kind: 'operation',
      address,
      ...definedFields({ name: asked[0]?.operation }),
      asked,
      ...reachOf([area], addresses),
    };
  }
  if (verdicts[verdict].health === 'unknown') return { kind: 'unjudged', address, ...reachOf([area], addresses) };
  const uncalled = { phase: alike?.phase ?? ('connect' as const), code: alike?.code ?? 'UNREACHABLE' };
  const ending = isUncalled(result) ? uncalled : badEndingOf(failing);
  if (isUncalled(result) || hostFailureOf(result)) {
    const reach = reachOf(atAddressesOf(found, addresses), addresses);
    const isHost = reach.areas.length === areaIds.length;
    return { kind: isHost ? 'host' : 'address', address: isHost ? origin : address, ...ending, ...reach };
  }
  const isShared = ending !== undefined && (ending.phase !== 'response' || Number(ending.code) >= 500);
  if (isShared && alike?.isWhole) {
    // An address that sends responses works: what fails is behind it, and the other areas were asked.
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
  const isOpen = isShared && alike?.isWhole === undefined ? ({ isOpen: true } as const) : {};
  const name = unseen?.change ?? failing?.operation;
  return {
    kind: 'operation',
    address,
    ...definedFields({ name }),
    ...ending,
    ...isOpen,
    ...reachOf([area], addresses),
  };
}

/** How a call ended. */
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

/** Unreachable without a call: the host was asked instead (`provisionerFallback`). */
export function isUncalled({ verdict, failing, exchanges }: ScenarioResult): boolean {
  return verdicts[verdict].fellShort === 'connection' && !failing && exchanges.length === 0;
}

/** The key of the credential that a call was refused for: the friend's, where it was sent as the friend. */
export function refusedCredential(
  { failing, verdict }: Pick<ScenarioResult, 'failing' | 'verdict'>,
  { friend }: Pick<Caller, 'friend'>,
) {
  // A changed request that is refused with 401 now has drifted, and says nothing of the credential.
  const isOfCall = verdicts[verdict].health === 'down' && verdict !== 'drifted';
  if (failing?.response?.status !== 401 || frontDoorOf(failing.response) || !isOfCall) return undefined;
  const isFriend = friend.accessToken !== undefined && failing.request.headers['mm-user-id'] === friend.userId;
  return credentialKey(operationNamed(failing.operation)?.headerSet ?? 'user', isFriend);
}

function operationNamed(name: string) {
  return name in operations ? operation(name as keyof typeof operations) : undefined;
}

/** All areas that have the same base addresses as these. */
function atAddressesOf(failing: readonly AreaId[], addresses: Caller['addresses']): AreaId[] {
  return areaIds.filter((area) => failing.some((one) => addresses[one].href === addresses[area].href));
}

/** Whether these are all areas that the host of one has. A host of one area is named by its area. */
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

/** The same key for equal causes: a large incident has few. */
export function causeKey({ scenario, cause, reason }: Failing): string {
  return JSON.stringify([scenario.environment, cause, cause.kind === 'unjudged' && reason]);
}
