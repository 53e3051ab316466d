import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Phase, ServiceUnderTest } from '../../client/index.ts';
import { hostFailureOf, hostPortOf, type ScenarioResult } from '../../runner/index.ts';
import { areaIds } from '../../spec/index.ts';
import { type Alike, areaOfFailure } from '../status/cause.ts';

type Failure = Pick<Alike, 'phase' | 'code'>;

/** The notice waits for this, so it is short: an address that takes longer counts as timed out. In ms. */
const TIMEOUT_MS = 800;

/**
 * After a failed connection: the areas whose addresses can't be connected to either, for the same reason, so that one notice
 * names them all. Only connects; sends no request.
 */
export async function failingAlike(
  result: ScenarioResult,
  { addresses }: Pick<ServiceUnderTest, 'addresses'>,
  timeoutMs = TIMEOUT_MS,
): Promise<Alike | undefined> {
  const area = areaOfFailure(result);
  const failed = hostFailureOf(result) ?? (await look(addresses[area], 'connect', timeoutMs));
  if (!failed) return undefined;
  const origins = [...new Set(areaIds.map((id) => addresses[id].origin))];
  const looked = await Promise.all(
    origins.map(async (origin) => [origin, await look(new URL(origin), failed.phase, timeoutMs)] as const),
  );
  const alike = new Set(looked.filter(([, found]) => found && isSame(found, failed)).map(([origin]) => origin));
  const { phase, code } = failed;
  return { phase, code, areas: areaIds.filter((id) => id === area || alike.has(addresses[id].origin)) };
}

function isSame(a: Failure, b: Failure): boolean {
  const codeOf = ({ code }: Failure) => (code === 'ETIMEDOUT' ? 'DEADLINE' : code);
  return a.phase === b.phase && codeOf(a) === codeOf(b);
}

/** Connects to `address`, with TLS if `upTo` is that; gives the failure, if any. */
function look(address: URL, upTo: Phase, timeoutMs: number): Promise<Failure | undefined> {
  const { host, port } = hostPortOf(address);
  const isSecure = upTo === 'tls' && address.protocol === 'https:';
  return new Promise((resolve) => {
    let phase: Phase = 'connect';
    const socket: Socket = isSecure
      ? connectTls({ host, port, ...(isIP(host) ? {} : { servername: host }) })
      : connect({ host, port });
    const end = (failure?: Failure) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(failure);
    };
    const timer = setTimeout(() => end({ phase, code: 'DEADLINE' }), timeoutMs);
    socket.once(isSecure ? 'secureConnect' : 'connect', () => end());
    socket.once('connect', () => {
      phase = isSecure ? 'tls' : phase;
    });
    socket.once('error', ({ code = 'CLOSED', syscall }: NodeJS.ErrnoException) =>
      end({ phase: syscall === 'getaddrinfo' ? 'dns' : phase, code }),
    );
  });
}
