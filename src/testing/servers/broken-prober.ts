import { after } from 'node:test';
import type { Environment } from '../../config/index.ts';
import type { ScenarioBody } from '../../scenario/index.ts';
import { type Answer, type ProberBench, scenarioOf, startProberBench } from '../programs/prober-bench.ts';
import { testEnvironment } from '../test-environment.ts';
import { http, listening } from './listening.ts';

/** Responds with 500, or not at all to the list of blockers. */
const broken = await listening(
  http.createServer(({ url = '' }, response) => {
    if (!url.includes('/block/me/')) response.writeHead(500).end();
  }),
);
after(broken.stop);

/** An environment whose service is broken. */
export const named = (name: string, rest: Parameters<typeof testEnvironment>[1] = {}): Environment => ({
  ...testEnvironment(broken.url, rest),
  name,
});
/** Longer than any test. */
export const patient = { REQUEST_TIMEOUT_MS: 600_000 };
export const success = ({ metric }: Answer) => metric('probe_success');

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
