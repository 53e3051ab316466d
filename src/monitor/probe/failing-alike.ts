import type { Phase, ServiceUnderTest } from '../../client/index.ts';
import {
  type ConnectProblem,
  connectProblem,
  hostFailureOf,
  hostPortOf,
  type ScenarioResult,
} from '../../runner/index.ts';
import { areaIds } from '../../spec/index.ts';
import { type Alike, areaOfFailure } from '../status/flip.ts';

type Addressed = Pick<ServiceUnderTest, 'addresses'>;

/** Origins of other environments that are looked at. */
const MOST_ORIGINS = 100;

/**
 * After a failed connection: the areas whose addresses can't be connected to either, for the same reason, and the other environments
 * on the host of which that is true, so that one notice names them all. Only connects; sends no request.
 */
export async function failingAlike(
  result: ScenarioResult,
  { addresses }: Addressed,
  others: readonly (Addressed & { readonly name: string })[] = [],
  look = recentLooks(),
): Promise<Alike | undefined> {
  const area = areaOfFailure(result);
  const failed = hostFailureOf(result) ?? (await look(addresses[area].origin, 'connect'));
  if (!failed) return undefined;
  const { phase, code } = failed;
  const own = originsOf({ addresses });
  const { hostname } = addresses[area];
  const onHost = others.map((other) => ({ name: other.name, origins: originsOf(other, hostname) }));
  const origins = new Set([...own, ...onHost.flatMap((other) => other.origins).slice(0, MOST_ORIGINS)]);
  const looked = await Promise.all([...origins].map(async (origin) => [origin, await look(origin, phase)] as const));
  const alike = new Set(looked.filter(([, found]) => found && isSame(found, failed)).map(([origin]) => origin));
  const failing = onHost.filter((other) => other.origins.some((origin) => alike.has(origin))).map(({ name }) => name);
  return {
    phase,
    code,
    areas: areaIds.filter((id) => id === area || alike.has(addresses[id].origin)),
    ...(failing.length > 0 ? { others: failing } : {}),
  };
}

function originsOf({ addresses }: Addressed, hostname?: string): string[] {
  const urls = areaIds.map((id) => addresses[id]).filter((url) => hostname === undefined || url.hostname === hostname);
  return [...new Set(urls.map(({ origin }) => origin))];
}

function isSame(a: ConnectProblem, b: ConnectProblem): boolean {
  const codeOf = ({ code }: ConnectProblem) => (code === 'ETIMEDOUT' ? 'DEADLINE' : code);
  return a.phase === b.phase && codeOf(a) === codeOf(b);
}

/** The notice waits for this, so it is short: an address that takes longer counts as timed out. In ms. */
const TIMEOUT_MS = 800;

/** Hundreds of scenarios can fail at once, and all of them ask for the same addresses. In ms. */
const KEEP_MS = 2_000;

/** Connects to an address, with TLS if `upTo` is that; the problem, if any. */
export type Look = (origin: string, upTo: Phase) => Promise<ConnectProblem | undefined>;

export function recentLooks(timeoutMs = TIMEOUT_MS, now: () => number = () => performance.now()): Look {
  const kept = new Map<string, { readonly at: number; readonly found: ReturnType<Look> }>();
  return (origin, upTo) => {
    const asked = now();
    for (const [key, { at }] of kept) if (asked - at >= KEEP_MS) kept.delete(key);
    const upToTls = upTo === 'tls' && origin.startsWith('https:');
    const key = `${origin} ${upToTls}`;
    const found = kept.get(key)?.found ?? connectProblem(hostPortOf(new URL(origin)), { timeoutMs, upToTls });
    if (!kept.has(key)) kept.set(key, { at: asked, found });
    return found;
  };
}
