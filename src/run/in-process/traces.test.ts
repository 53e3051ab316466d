import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import * as conventions from '@opentelemetry/semantic-conventions/incubating';
import type { Environment } from '../../environment/index.ts';
import { exportsSpans, startSpans } from '../../http/index.ts';
import { redact } from '../../redaction/index.ts';
import { type ReceiverResponse, receiver } from '../../testing/monitor/receiver.ts';
import { answers, safetyBench, titled } from '../../testing/safety-bench.ts';
import { idsOf, type ReceivedSpan, startCollector } from '../../testing/servers/collector.ts';
import { startForwardProxy } from '../../testing/servers/forward-proxy.ts';
import { type ScenarioResult, scenarios } from '../index.ts';

const { arrivals, leaveBehind, own, provisioned, run, service } = await safetyBench();
const [block] = await titled(/^block, then list, then unblock$/);
assert.ok(block);

const variables = process.env;
afterEach(() => {
  for (const name of Object.keys(variables)) if (name.startsWith('OTEL_')) delete variables[name];
});

/** Sets the variables `given`, which configure the export of spans, and calls `play`. Returns its result and the warnings of the export. */
async function exporting<T>(given: Readonly<Record<string, string>>, play: () => Promise<T>) {
  Object.assign(variables, given);
  const warnings: string[] = [];
  const spans = await startSpans((line) => void warnings.push(line));
  const played = await play().finally(() => spans[Symbol.asyncDispose]());
  return { played, warnings };
}

const rootsOf = (spans: readonly ReceivedSpan[]) => spans.filter(({ parentSpanId }) => !parentSpanId);

test('each scenario is a trace; each call has the id that the service was sent, and belongs to its scenario', async (t) => {
  const collector = await startCollector();
  t.after(collector.end);
  service.faults.set(answers('evaluate', 500, { error: 'out of order' }));
  let results: ScenarioResult[] = [];
  const heard = await arrivals.during(async () => {
    const all = (await scenarios()).filter(({ details }) =>
      details.tag.some((tag) => /^@(features|friends)$/.test(tag)),
    );
    const given = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_RESOURCE_ATTRIBUTES: 'team=a',
      OTEL_SERVICE_NAME: 'x',
    };
    const { played, warnings } = await exporting(given, () => run(provisioned, ...all));
    assert.deepEqual(warnings, []);
    results = played;
  });
  const spans = collector.spans();
  const roots = rootsOf(spans);
  const expected = results.flatMap(({ title, verdict, trace }) => (trace ? `${trace.id} ${title}: ${verdict}` : []));
  const seen = roots.map(({ traceId, name, attributes }) => `${traceId} ${name}: ${attributes['sextant.verdict']}`);
  assert.deepEqual(seen.sort(), expected.sort());
  assert.equal(new Set(roots.map(({ traceId }) => traceId)).size, roots.length);
  const parents = new Map(roots.map(({ traceId, spanId }) => [traceId, spanId]));
  for (const { traceId, parentSpanId } of spans) if (parentSpanId) assert.equal(parentSpanId, parents.get(traceId));
  // Requests to the provisioner are left out: they have the ids of the scenario's own span, not of a call.
  const ofScenarios = new Set(roots.map(({ traceId, spanId }) => `${traceId}-${spanId}`));
  const sent = idsOf.arrivals(heard).filter((id) => !ofScenarios.has(id));
  assert.deepEqual(idsOf.calls(spans).sort(), sent.sort());
  const failed = results.find(({ verdict }) => verdict === 'failed');
  const red = roots.find(({ traceId }) => traceId === failed?.trace?.id);
  assert.deepEqual(red?.status, { code: 2, message: failed?.reason });
  const call = spans.find(({ name, status }) => name === 'POST /v1/apikey/feature' && status.code === 2);
  assert.equal(call?.attributes['error.type'], '500');
  assert.equal(call?.attributes['http.response.status_code'], 500);
  const [resource] = collector.resources();
  assert.deepEqual([resource?.['service.name'], resource?.['team']], ['x', 'a']);
  const known = new Set<unknown>(Object.values(conventions));
  const names = new Set(spans.flatMap(({ attributes }) => Object.keys(attributes)));
  assert.deepEqual(
    [...names].filter((name) => !known.has(name) && !name.startsWith('sextant.')),
    [],
  );
});

test('what undoes changes of an earlier run is no part of a scenario', async (t) => {
  const collector = await startCollector();
  t.after(collector.end);
  leaveBehind();
  const heard = await arrivals.during(() =>
    exporting({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces` }, () => run(own, block)),
  );
  const roots = rootsOf(collector.spans()).map(({ name }) => name);
  assert.deepEqual([...new Set(roots)].sort(), [
    'GET /v1/friends/block/{n1}/{n2}',
    'POST /v1/friends/unblock',
    block.title,
  ]);
  assert.ok(idsOf.arrivals(heard).every((id) => idsOf.calls(collector.spans()).includes(id)));
});

/** Collectors that don't accept all spans: the collector's response or address, and the only warning that the run must print. */
const failing: readonly (readonly [what: string, is: ReceiverResponse | string, warning: RegExp])[] = [
  ['refuses', 401, /: it returned status 401\. No verdict depends on this\.$/],
  ['is overloaded', 503, /: it returned status 503\./],
  ['never responds', 'silent', /: no response 1000 ms after the end of the run\./],
  [
    'takes only some',
    { status: 200, body: '{"partialSuccess":{"rejectedSpans":"3"}}' },
    /: it rejected 3 of \d+ spans\./,
  ],
  ['is away', 'http://127.0.0.1:1', /the collector at 127\.0\.0\.1:1: connection refused\./],
  ['has no address', 'collector:4318', /OTEL_EXPORTER_OTLP_ENDPOINT is not an http:\/\/ or https:\/\/ address\.$/],
];

for (const [what, is, warning] of failing)
  test(`a collector that ${what} is one warning, and no verdict`, async (t) => {
    const isAddress = typeof is === 'string' && is !== 'silent';
    const collector = await receiver(() => (isAddress ? 200 : is) as ReceiverResponse);
    t.after(collector.end);
    const endpoint = isAddress ? is : collector.url;
    const { played, warnings } = await exporting({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, async () => [
      ...(await run(own, block)),
      ...(await run(own, block)),
    ]);
    assert.deepEqual(
      played.map(({ verdict }) => verdict),
      ['passed', 'passed'],
    );
    assert.equal(warnings.length, 1, warnings.join('\n'));
    assert.match(warnings[0] ?? '', warning);
  });

for (const off of [
  { OTEL_SDK_DISABLED: 'true' },
  { OTEL_TRACES_EXPORTER: 'none' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
])
  test(`nothing is exported with ${JSON.stringify(off)}`, async () => {
    const given = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', ...off };
    assert.equal((await exporting(given, async () => exportsSpans())).played, false);
  });

test('without SEND_TRACEPARENT no request has a trace, and a result has one only where it is exported', async (t) => {
  const collector = await startCollector();
  t.after(collector.end);
  const quiet: Environment = { ...own, sendsTraceparent: false, traceUrl: 'https://traces.test/{traceId}' };
  const heard = await arrivals.during(async () => {
    const [alone] = await run(quiet, block);
    assert.equal(alone?.trace, undefined);
    const { played } = await exporting({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, () => run(quiet, block));
    const id = rootsOf(collector.spans())[0]?.traceId ?? '';
    assert.deepEqual(played[0]?.trace, { id, url: `https://traces.test/${id}` });
  });
  assert.deepEqual(idsOf.arrivals(heard), []);
});

test('spans pass the proxy of their environment; headers never do so in the clear, and are masked like any secret', async (t) => {
  const collector = await startCollector();
  const proxy = await startForwardProxy();
  t.after(() => Promise.all([collector.end(), proxy.stop()]));
  const by = { url: new URL(proxy.address) };
  const route = {
    proxyFor: (url: URL) => (url.port === new URL(collector.url).port ? by : undefined),
    pins: [],
    tls: {},
  };
  const environment: Environment = { ...own, route };
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_COMPRESSION: 'none' };
  await exporting(endpoint, () => run(environment, block));
  assert.deepEqual(
    proxy.seen.map(({ line }) => line),
    [`POST ${collector.url}/v1/traces`],
  );
  const secret = 'canary-of-the-collector-7f31';
  const headers = { OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${secret}` };
  const { warnings } = await exporting({ ...endpoint, ...headers }, () => run(environment, block));
  assert.match(warnings.join('\n'), /^[^\n]*so its headers would reach the proxy in the clear\.[^\n]*$/);
  assert.equal(proxy.seen.length, 1);
  await exporting({ ...endpoint, ...headers }, () => run(own, block));
  assert.equal(collector.received.at(-1)?.headers.authorization, `Bearer ${secret}`);
  assert.doesNotMatch(redact(`it said ${secret}`), /canary/);
});
