import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { seeded } from '../../reference-service/index.ts';
import { findLeaks } from '../testing/find-leaks.ts';
import { ran, startCommand, until } from '../testing/programs/run-command.ts';
import { Arrivals } from '../testing/servers/arrivals.ts';
import { idsOf, startCollector } from '../testing/servers/collector.ts';
import { fetchOnce } from '../testing/servers/listening.ts';
import { ownEnvironments, ownService } from '../testing/servers/own-service.ts';
import { environmentText } from '../testing/test-environment.ts';

const service = await ownService();
const arrivals = new Arrivals();
const VIEWER = 'https://traces.test/trace/{traceId}?from=sextant';
const { folder, env } = ownEnvironments({ a: environmentText(service.addresses, { TRACE_URL: VIEWER }) });
const secret = 'canary-of-the-collector-7f31';
const collector = await startCollector();
after(collector.end);
const exporting = {
  ...env,
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${secret}`,
  OTEL_RESOURCE_ATTRIBUTES: `note=${seeded.client.apiKey}`,
};
const linkOf = (traceId = '') => VIEWER.replace('{traceId}', traceId);

/** Starts a command that runs until it is stopped, calls `visit` with its address, stops it, and returns its output. */
async function visited(args: readonly string[], visit: (url: string) => Promise<unknown>): Promise<string> {
  const command = startCommand(args, exporting);
  const url = () => /(?:Prober|Status page): +(http:\S+)/.exec(command.said())?.[1];
  await until(() => url() !== undefined, command);
  await visit(url() as string).finally(() => command.child.kill('SIGTERM'));
  assert.equal(await command.ended, 0, command.said());
  return command.said();
}

/**
 * The commands under test. Each function runs one command, and returns its output and files as one text. The service responds to `evaluate`
 * with 500, so that one scenario fails.
 */
const commands: Readonly<Record<string, () => Promise<string>>> = {
  check: async () => {
    const said = await ran(['check', '--env', 'a', '--area', 'features', '--json', '--yes'], exporting, 1);
    return said + readFileSync(join(env.SEXTANT_OUTPUT, 'check', 'index.html'), 'utf8');
  },
  test: async () => {
    const said = await ran(['test', '--env', 'a', '--grep', 'with default'], exporting, 1);
    const results = join(env.SEXTANT_OUTPUT, 'allure-results');
    const files = readdirSync(results).filter((name) => name.endsWith('-result.json'));
    return said + files.map((name) => readFileSync(join(results, name), 'utf8')).join('\n');
  },
  monitor: async () => {
    const settings = join(folder, 'monitor.env');
    writeFileSync(settings, 'CONFIRM_AFTER=0s\nGATHER=0s\n');
    const flags = ['--settings', settings, '--data', join(folder, 'data'), '--port', '0', '--every', '5s'];
    let pages = '';
    const page = async (url: string, path: string) => {
      const headers = { accept: 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5' };
      return (await fetchOnce(new URL(path, url), { headers })).text();
    };
    const said = await visited(['monitor', '--env', 'a', '--area', 'features', '--yes', ...flags], async (url) => {
      const incident = async () => /href="(\/incidents\/\d+)"/.exec(await page(url, '/'))?.[1];
      while (!(await incident())) await new Promise((resolve) => setTimeout(resolve, 200));
      pages = (await page(url, (await incident()) ?? '')) + (await page(url, '/metrics'));
    });
    const [, exemplar] = /_bucket\{[^}]*\} \d+ # \{trace_id="(\w+)"\} [\d.]+ [\d.]+\n/.exec(pages) ?? [];
    assert.ok(
      collector.spans().some(({ traceId }) => traceId === exemplar),
      pages,
    );
    assert.match(pages, /\n# EOF\n$/);
    return said + pages;
  },
  prober: () => {
    const args = ['prober', '--env', 'a', '--area', 'features', '--listen', '127.0.0.1:0', '--yes', '--trust-state'];
    return visited(args, async (url) => (await fetchOnce(new URL('/probe?target=a&module=features', url))).text());
  },
};

for (const [name, run] of Object.entries(commands))
  test(`${name} exports one trace for each scenario, with the ids that the service was sent; pages lead to it`, async () => {
    service.faults.set({
      name: 'broken flags',
      operation: 'evaluate',
      handle: () => () => ({ status: 200, body: { value: seeded.client.apiKey } }),
    });
    collector.received.length = 0;
    let said = '';
    const heard = await arrivals.during(async () => {
      said = await run();
    });
    const spans = collector.spans();
    assert.deepEqual(idsOf.calls(spans).sort(), idsOf.arrivals(heard).sort());
    const roots = spans.filter(({ kind }) => kind === 1);
    const parents = new Map(roots.map(({ traceId, spanId }) => [traceId, spanId]));
    assert.equal(parents.size, roots.length);
    // A monitor also sends requests outside of a scenario, after a failure. These requests have no parent span.
    for (const { kind, traceId, parentSpanId } of spans)
      if (kind === 3) assert.equal(parentSpanId, parents.get(traceId));
    const red = roots.filter(({ attributes }) => attributes['sextant.verdict'] === 'failed');
    assert.ok(red.length > 0 && red.every(({ status }) => status.code === 2));
    if (name !== 'prober')
      assert.ok(
        red.some(({ traceId }) => said.includes(linkOf(traceId))),
        said,
      );
    const secrets = { token: seeded.caller.accessToken, key: seeded.client.apiKey };
    const bodies = collector.received.map(({ body }) => body).join('\n');
    assert.deepEqual(findLeaks(Buffer.from(bodies + said), { ...secrets, secret }, name), []);
    assert.equal(collector.resources()[0]?.['note'], '***');
    assert.equal(collector.received[0]?.headers.authorization, `Bearer ${secret}`);
  });

test('a collector that is away costs a run of several workers one warning, and no verdict', async () => {
  const away = { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
  service.faults.set({ name: 'broken flags', operation: 'evaluate', handle: () => () => ({ status: 500, body: {} }) });
  const said = await ran(['test', '--env', 'a', '--area', 'features', '--', '--workers', '2'], away, 1);
  assert.equal(said.match(/Traces don't reach the collector/g)?.length, 1, said);
  service.faults.set();
  const green = await ran(['check', '--env', 'a', '--area', 'features', '--yes'], away);
  assert.equal(green.match(/Traces don't reach the collector/g)?.length, 1, green);
});
