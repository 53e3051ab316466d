import { after } from 'node:test';
import type { ScenarioBody } from '../../../fixtures/index.ts';
import type { Environment } from '../../environment/index.ts';
import { scenarioOf } from '../made-scenario.ts';
import { type Answer, type AskOptions, type ProberBench, startProberBench } from '../programs/prober-bench.ts';
import { testEnvironment } from '../test-environment.ts';
import { http, listening } from './listening.ts';

/** A service that responds with 500, except to requests for the list of blockers or for report options: these never get a response. */
const broken = await listening(
  http.createServer(({ url = '' }, response) => {
    if (!/\/(block\/me|reports\/opt)\//.test(url)) response.writeHead(500).end();
  }),
);
after(broken.stop);

export const named = (name: string, rest: Parameters<typeof testEnvironment>[1] = {}): Environment => ({
  ...testEnvironment(broken.url, rest),
  name,
});
/** A time limit of calls that is longer than any test. */
export const patient = { REQUEST_TIMEOUT_MS: 600_000 };
/** A scenario whose call never gets a response. */
export const hangs: ScenarioBody = async ({ friends }) => {
  await friends.listBlockers().succeeds();
};
/**
 * A scenario whose first call never gets a response. It belongs to an area without lists: the start of a scenario reads all lists of its
 * area, and would fail there.
 */
export const optionsHang: ScenarioBody = async ({ stories }) => {
  await stories.reportOptions({ language: 'en' }).succeeds();
};
export const success = ({ metric }: Answer) => metric('probe_success');

type Bodies = Readonly<Record<string, ScenarioBody | readonly [ScenarioBody, ...tags: string[]]>>;

/** A prober for one test, with scenarios by name. Their bodies may wait for `opened`, which resolves when the test calls `open`. */
export async function proberOf(
  bodiesOf: (opened: Promise<void>) => Bodies,
  environments = [named('one')],
  limits: Parameters<typeof startProberBench>[2] = {},
) {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const scenarios = Object.entries(bodiesOf(opened)).map(([title, given]) => {
    const [body, ...tags] = typeof given === 'function' ? [given] : given;
    return scenarioOf(title, body, ...tags);
  });
  let bench: ProberBench | undefined;
  after(() => bench?.stop(0));
  bench = await startProberBench(environments, scenarios, limits);
  const { ask } = bench;
  /** Probes the environment `one`. */
  const probe = (module: string, options?: AskOptions) => ask(`/probe?target=one&module=${module}`, options);
  return { ...bench, open, probe };
}
