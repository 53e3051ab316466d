import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { whileServing } from '../../reference-service/index.ts';
import type { Environment } from '../../src/environment/index.ts';
import type { Exchange } from '../../src/http/index.ts';
import { runAll, scenarios } from '../../src/run/index.ts';
import { withUsers } from '../../src/safety/index.ts';
import { temporaryFolder } from '../../src/testing/own-folder.ts';
import { startProxy } from '../../src/testing/servers/wire-proxy.ts';
import { embeddedEnvironment, newItems } from '../../src/testing/test-environment.ts';

/**
 * The response time of a slow service, in ms. The program compares a check of this service with one of the healthy service: the number of
 * requests by area, the time, and the longest chain of exchanges, in which each begins after the end of the one before.
 */
const MS = Number(process.argv[2] ?? 1_500);
const { path: folder, end } = temporaryFolder();
process.env.SEXTANT_OUTPUT = folder;
process.env.SEXTANT_STATE = folder;
try {
  for (const hasProvisioner of [true, false]) {
    const healthy = await checked(hasProvisioner, 0);
    const { seconds, exchanges } = await checked(hasProvisioner, MS);
    const byArea = Object.entries(Object.groupBy(exchanges, ({ area }) => area));
    const areas = byArea.map(([area, all]) => `${area} ${all.length}`).join(', ');
    process.stdout.write(
      `${hasProvisioner ? 'PROVISION_URL' : 'fixed users'}: ${exchanges.length} requests (${areas}), chain of ${chainIn(exchanges)}; ` +
        `${seconds.toFixed(1)} s at ${MS} ms a response, ${(seconds / healthy.seconds).toFixed(0)} × the healthy ${healthy.seconds.toFixed(2)} s\n`,
    );
  }
} finally {
  end();
}

/** Each check gets its own service, because a type version can be cloned only once. */
function checked(hasProvisioner: boolean, ms: number) {
  return whileServing({ port: 0, quiet: true }, async (service) => {
    const proxy = await startProxy(service, (asked, forward) => wait(ms).then(() => forward(asked)));
    const { provisionUrl, data, ...rest } = embeddedEnvironment(ms > 0 ? proxy : service);
    const storedItemIds = await newItems(service, 10);
    const users = hasProvisioner && provisionUrl ? { data, provisionUrl } : { data: { ...data, storedItemIds } };
    const environment: Environment = { ...rest, ...users };
    const all = await scenarios();
    const options = { environment, seed: '1', runId: randomUUID() };
    const start = performance.now();
    const results = await withUsers(environment, { say: () => {} }, (users) => runAll(all, { ...options, users }));
    const seconds = (performance.now() - start) / 1_000;
    await proxy.stop();
    const red = results.find(({ verdict }) => verdict !== 'passed' && verdict !== 'skipped');
    if (red) throw new Error(`${red.title}: ${red.verdict}, ${red.reason}`);
    return { seconds, exchanges: results.flatMap(({ exchanges }) => exchanges) };
  });
}

/** Returns the maximum number of exchanges of which no two overlap. Always choosing the exchange that ends first finds this maximum. */
function chainIn(exchanges: readonly Exchange[]): number {
  const endOf = ({ startedAt, durationMs }: Exchange) => startedAt + durationMs;
  let [count, free] = [0, 0];
  for (const exchange of exchanges.toSorted((a, b) => endOf(a) - endOf(b))) {
    // Start times are rounded to a millisecond, so an overlap of 1 ms may be none.
    if (exchange.startedAt + 1 < free) continue;
    count++;
    free = endOf(exchange);
  }
  return count;
}
