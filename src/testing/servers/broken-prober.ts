import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import type { Environment } from '../../config/index.ts';
import type { ScenarioBody } from '../../scenario/index.ts';
import { type Answer, type ProberBench, scenarioOf, startProberBench } from '../programs/prober-bench.ts';
import { testEnvironment } from '../test-environment.ts';

/** Responds with 500, or not at all to the list of blockers. */
const broken = createServer(({ url = '' }, response) => {
  if (!url.includes('/block/me/')) response.writeHead(500).end();
});
broken.listen({ host: '127.0.0.1', port: 0 });
await once(broken, 'listening');
/** Where it listens. */
export const address = () => `http://127.0.0.1:${(broken.address() as AddressInfo).port}`;
after(() => {
  broken.closeAllConnections();
  broken.close();
});

/** An environment whose service is broken. */
export const named = (name: string, rest: Parameters<typeof testEnvironment>[1] = {}): Environment => ({
  ...testEnvironment(address(), rest),
  name,
});
/** Longer than any test. */
export const patient = { REQUEST_TIMEOUT_MS: 600_000 };
export const success = ({ metric }: Answer) => metric('probe_success');

export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

/** What a scenario waits for until the test opens it. */
export function gate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

/** Plays scenarios in a prober of the test. */
export async function withBench(
  environments: readonly Environment[],
  bodies: Readonly<Record<string, ScenarioBody | readonly [ScenarioBody, ...string[]]>>,
  work: (bench: ProberBench) => Promise<void>,
  limits = {},
): Promise<void> {
  const all = Object.entries(bodies).map(([title, body]) =>
    typeof body === 'function' ? scenarioOf(title, body) : scenarioOf(title, ...(body as [ScenarioBody, ...string[]])),
  );
  const bench = await startProberBench(environments, all, limits);
  try {
    await work(bench);
  } finally {
    await bench.stop(0);
  }
}
