import { connect, isIP, type Socket } from 'node:net';
import type { Environment } from '../../environment/index.ts';
import { type ConnectionFailure, curlLine, Deadline, isUnconnected, type Phase } from '../../http/index.ts';
import { type AreaId, areaIds } from '../../service/index.ts';
import type { ScenarioResult } from '../ending/index.ts';

/** The failure of a result's host; `undefined` if the host was reached. */
export function hostFailureOf({ failing }: Pick<ScenarioResult, 'failing'>): ConnectionFailure | undefined {
  return failing && isUnconnected(failing) && failing.failure?.code !== 'ABORTED' ? failing.failure : undefined;
}

/** Base addresses that can't be connected to: the failures of one in the same phase, combined, with the affected scenarios. */
export function hostFailures(results: readonly ScenarioResult[]) {
  const down = results.flatMap((result) => {
    const failure = hostFailureOf(result);
    const { failing } = result;
    return failure && failing ? [{ result, failure, failing, address: new URL(failing.request.url).origin }] : [];
  });
  const byHost = Map.groupBy(down, ({ address, failure }) => JSON.stringify([address, failure.phase, failure.code]));
  return [...byHost.values()].map((met) => {
    const [{ address, failure, failing, result }] = met as [(typeof met)[number]];
    const { phase, code, reason } = failure;
    return {
      ...{ address, phase, verdict: result.verdict, code, reason },
      areas: [...new Set(met.map((each) => each.failing.area))],
      /** One of the failing calls. */
      curl: curlLine(failing.request),
      scenarios: met.map((each) => each.result.title),
    };
  });
}

/** Slower failures, in ms, are too expensive to repeat for every scenario. */
const QUICK_MS = 500;

/** The outages that a run has found so far, so that it need not wait for each again. */
export class Outages {
  readonly #answered = new Set<AreaId>();
  readonly #doubtful = new Map<AreaId, ScenarioResult>();
  readonly #down = new Map<AreaId, ScenarioResult>();
  #withoutUsers: ScenarioResult | undefined;

  note(result: ScenarioResult): void {
    for (const { area, response } of result.exchanges) if (response) this.#answered.add(area);
    if (result.lacks === 'provisioner') this.#withoutUsers ??= result;
    const { failing } = result;
    if (!failing?.failure || failing.failure.code === 'ABORTED' || this.#answered.has(failing.area)) return;
    const isSlow = failing.failure.code === 'DEADLINE' || failing.durationMs > QUICK_MS;
    if (hostFailureOf(result)) this.#down.set(failing.area, this.#down.get(failing.area) ?? result);
    else if (isSlow) this.#doubtful.set(failing.area, this.#doubtful.get(failing.area) ?? result);
  }

  /** What another run found may be over: it is tried again. */
  suspect(result: ScenarioResult): void {
    if (result.failing) this.#doubtful.set(result.failing.area, result);
  }

  /** The result that showed one of `areas`, or the provisioner, to be down. */
  down(areas: readonly AreaId[]): ScenarioResult | undefined {
    return this.#withoutUsers ?? this.#first(this.#down, areas);
  }

  /** The result in which one of `areas` kept its first call waiting, neither refuted nor confirmed yet. */
  doubt(areas: readonly AreaId[]): ScenarioResult | undefined {
    return this.#first(this.#doubtful, areas);
  }

  /** Confirmed by a second scenario: the address is down, not an operation. */
  confirm({ failing }: ScenarioResult): void {
    const known = failing && this.#doubtful.get(failing.area);
    if (known) this.#down.set(failing.area, known);
  }

  #first(known: ReadonlyMap<AreaId, ScenarioResult>, areas: readonly AreaId[]): ScenarioResult | undefined {
    const area = areas.find((id) => known.has(id) && !this.#answered.has(id));
    return area && known.get(area);
  }
}

/**
 * Probes the scenario's hosts when the provisioner failed, so that a broken helper can't hide an outage: the result
 * becomes `unreachable` when none of them accepts a connection.
 */
export async function provisionerFallback(result: ScenarioResult, environment: Environment): Promise<ScenarioResult> {
  // A host that is reached by a proxy or a pin says nothing to a plain connection.
  if (result.lacks !== 'provisioner' || environment.route) return result;
  const { addresses, requestTimeoutMs: timeoutMs } = environment;
  const hosts = (result.area === 'all' ? areaIds : [result.area]).map((area) => addresses[area]);
  const problems = await Promise.all(hosts.map((address) => connectProblem(hostPortOf(address), { timeoutMs })));
  if (problems.includes(undefined)) return result;
  return {
    ...result,
    verdict: 'unreachable',
    grade: 'assumed',
    reason: `the service can be reached — ${hosts[0]?.origin} accepts no connection, and neither does the provisioner`,
  };
}

/** A TCP endpoint that is reachable whenever this machine is online. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

export function hostPortOf({ hostname, port, protocol }: URL): HostPort {
  const host = hostname.replace(/^\[|\]$/g, '');
  return { host, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

export interface ConnectProblem {
  readonly phase: Phase;
  /** `ECONNREFUSED`, `DEADLINE` … */
  readonly code: string;
}

/** Connects, with TLS if asked to, and sends no request; `undefined`: it succeeded. */
export function connectProblem(
  { host, port }: HostPort,
  { timeoutMs, upToTls = false }: { readonly timeoutMs: number; readonly upToTls?: boolean },
): Promise<ConnectProblem | undefined> {
  return new Promise((resolve) => {
    let phase: Phase = 'connect';
    const socket: Socket = upToTls
      ? process.getBuiltinModule('node:tls').connect({ host, port, ...(isIP(host) ? {} : { servername: host }) })
      : connect({ host, port });
    const end = (problem?: ConnectProblem) => {
      limit.end();
      socket.destroy();
      resolve(problem);
    };
    const limit = new Deadline(timeoutMs);
    limit.signal.addEventListener('abort', () => end({ phase, code: 'DEADLINE' }));
    socket.once(upToTls ? 'secureConnect' : 'connect', () => end());
    socket.once('connect', () => {
      phase = upToTls ? 'tls' : phase;
    });
    socket.once('error', ({ code = 'CLOSED', syscall }: NodeJS.ErrnoException) =>
      end({ phase: syscall === 'getaddrinfo' ? 'dns' : phase, code }),
    );
  });
}
