import type { ServiceUnderTest } from '../../client/index.ts';
import { type ConnectProblem, hostFailureOf, type ScenarioResult } from '../../runner/index.ts';
import { areaIds } from '../../spec/index.ts';
import { type Alike, areaOfFailure } from '../status/cause.ts';
import { RecentLooks } from './recent-looks.ts';

type Addressed = Pick<ServiceUnderTest, 'addresses'>;

/** An environment that may be on the same host. */
interface OtherEnvironment extends Addressed {
  readonly name: string;
}

/** Origins of other environments that are looked at. */
const MOST_ORIGINS = 100;

/**
 * After a failed connection: the areas whose addresses can't be connected to either, for the same reason, and the other environments
 * on the host of which that is true, so that one notice names them all. Only connects; sends no request.
 */
export async function failingAlike(
  result: ScenarioResult,
  { addresses }: Addressed,
  others: readonly OtherEnvironment[] = [],
  looks = new RecentLooks(),
): Promise<Alike | undefined> {
  const area = areaOfFailure(result);
  const failed = hostFailureOf(result) ?? (await looks.look(addresses[area].origin, 'connect'));
  if (!failed) return undefined;
  const { phase, code } = failed;
  const own = originsOf({ addresses });
  const { hostname } = addresses[area];
  const onHost = others.map((other) => ({ name: other.name, origins: originsOf(other, hostname) }));
  const origins = new Set([...own, ...onHost.flatMap((other) => other.origins).slice(0, MOST_ORIGINS)]);
  const looked = await Promise.all(
    [...origins].map(async (origin) => [origin, await looks.look(origin, phase)] as const),
  );
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
