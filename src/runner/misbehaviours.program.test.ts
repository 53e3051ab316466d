import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { playwrightTransports } from '../../fixtures/playwright-transports.ts';
import { scenarioRows } from '../cli/check/console.ts';
import { checkDocument } from '../cli/check/outputs.ts';
import { colours } from '../reporting/index.ts';
import { nodeTransports, type Transports } from '../scenario/index.ts';
import { lastingReason } from '../testing/lasting-reason.ts';
import { play, told } from '../testing/play.ts';
import { type Misbehaviour, misbehaviours, SILENCE_MS, tlsMisbehaviours } from '../testing/servers/misbehaviours.ts';
import { ownService } from '../testing/servers/own-service.ts';
import { type Behaviour, rawResponse, startRawServer } from '../testing/servers/raw-server.ts';
import { canaries, embeddedEnvironment, testEnvironment } from '../testing/test-environment.ts';
import { causesOfResults, hostFailures, hostPhases, runAll, type ScenarioResult, scenarios } from './index.ts';

/** The deadline of a call: short where only it ends the wait, long where a busy machine must not make it end the call. */
const deadlineMs = ({ waits }: Pick<Misbehaviour, 'waits'>) => (waits ? SILENCE_MS : 20_000);
const MOST_EXTRA_MEMORY = 200_000_000;

const healthy = await ownService();
const folder = process.env.SEXTANT_OUTPUT as string;
before(assertHealthyCheckPasses);

for (const misbehaviour of misbehaviours)
  test(`over HTTP: ${misbehaviour.name}`, async (t) => {
    const server = await served(t, misbehaviour);
    assertVerdicts(misbehaviour, await checkWithBoth(server.url, misbehaviour));
    for (const { head } of server.requests) {
      assert.doesNotMatch(head, /^cookie:/im);
      // The canaries were there to leak.
      assert.match(head, /canary-/);
    }
  });

for (const misbehaviour of tlsMisbehaviours())
  test(`over TLS: ${misbehaviour.name}`, async (t) => {
    const { tls, trusted } = misbehaviour;
    const usual = getCACertificates('default');
    t.after(() => setDefaultCACertificates(usual));
    if (tls && trusted) setDefaultCACertificates([...usual, tls.cert]);
    const { url } = await served(t, misbehaviour, tls);
    const results = await checkWithBoth(url.replace('http:', 'https:'), misbehaviour);
    assertVerdicts(misbehaviour, results);
    assertToldOnce(results, 'tls');
  });

test('connection refused', async () => {
  const results = await check('http://127.0.0.1:9');
  assertVerdicts({ name: '', verdict: 'unreachable', phase: 'connect', reason: /connection refused/ }, results);
  assertToldOnce(results, 'connect');
});

for (const [name, path] of [
  ['to another origin', (elsewhere: number) => `http://127.0.0.1:${elsewhere}/v1/steal`],
  ['in a loop', () => '/v1/again'],
] as const)
  test(`redirects ${name} are not followed`, async (t) => {
    const elsewhere = await served(t, { onSocket: (socket) => socket.end() });
    const redirect = rawResponse('307 Temporary Redirect', '', { location: path(elsewhere.port) });
    const server = await served(t, { onRequest: (socket) => void socket.write(redirect) });
    const expected: Misbehaviour = { name, verdict: 'failed', reason: /307 .*redirects are not followed/ };
    assertVerdicts(expected, await checkWithBoth(server.url, expected));
    const followed = server.requests.filter(({ head }) => / \/v1\/(again|steal) /.test(head));
    assert.deepEqual([followed, elsewhere.requests], [[], []]);
  });

test('whatever the services did, this process is as it was', assertHealthyCheckPasses);

/** A server that misbehaves until the test ends. */
async function served(t: TestContext, behaviour: Behaviour, tls?: Parameters<typeof startRawServer>[1]) {
  const server = await startRawServer(behaviour, tls);
  t.after(server.stop);
  return { ...server, url: `http://127.0.0.1:${server.port}` };
}

/** Scenarios that together call every area with every kind of request; of one area three, so that the third need not be tried. */
const played = [
  'block, then list, then unblock',
  'clone type',
  'evaluate a flag with default',
  'evaluate a flag that exists',
  'get friend profile, as configured',
  'love, then unlove',
  'read-only round',
  'update profile, then read it back',
  'who blocked me',
];

/** Checks with the transports of both runners, which must make the same of the service. */
async function checkWithBoth(address: string, row: Misbehaviour): Promise<ScenarioResult[]> {
  const results = await check(address, row);
  const theirs = await check(address, row, playwrightTransports);
  if (row.waits) for (const all of [results, theirs]) assertWaitedTwice(all);
  // Which scenarios meet the three refusals after which a token is tried no more depends on which area is the quicker.
  const compared = row.verdict === 'refused' ? ({ title, verdict }: ScenarioResult) => ({ title, verdict }) : said;
  assert.deepEqual(theirs.map(compared), results.map(compared));
  return results;
}

/** A result without values that differ between runs: ids, ports and times. */
function said({ title, verdict, grade, reason, failing }: ScenarioResult) {
  const { phase, side, code } = failing?.failure ?? {};
  const status = failing?.response?.status;
  return { title, verdict, grade, reason: reason && lastingReason(reason), phase, side, code, status };
}

/** Checks, and asserts the invariants for any service behaviour. */
async function check(
  address: string,
  { titles = played, ...row }: Pick<Misbehaviour, 'titles' | 'waits'> = {},
  connect: () => Transports = nodeTransports,
): Promise<ScenarioResult[]> {
  const environment = testEnvironment(address, { REQUEST_TIMEOUT_MS: deadlineMs(row) });
  // What an earlier service left behind would be read again with every change.
  process.env.SEXTANT_STATE = join(folder, randomUUID());
  const memory = process.memoryUsage.rss();
  const peakBefore = process.resourceUsage().maxRSS;
  const transports = connect();
  const run = { environment, seed: '1', runId: randomUUID(), transports };
  const chosen = (await scenarios()).filter(({ title }) => titles.includes(title));
  const results = await runAll(chosen, run);
  await transports.dispose();
  // The peak is the process's: one that was not passed says nothing about this check.
  const peak = process.resourceUsage().maxRSS;
  const extra = peak > peakBefore ? peak * 1024 - memory : 0;
  assert.ok(extra < MOST_EXTRA_MEMORY, `took ${Math.round(extra / 1e6)} MB`);
  assertNothingLeaks(results);
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  return results;
}

function assertVerdicts({ verdict, phase, reason, titles }: Misbehaviour, results: readonly ScenarioResult[]): void {
  assert.equal(results.length, (titles ?? played).length);
  for (const result of results) {
    assert.equal(result.verdict, verdict, `${result.title}: ${result.reason}`);
    if (/^not tried: .* is not accepted/.test(result.reason ?? '')) continue;
    assert.match(result.reason ?? '', reason, result.title);
    assert.equal(result.failing?.failure?.phase, phase, result.title);
    assert.match(result.curl ?? '', /^curl -sS .*'http/, result.title);
  }
}

function assertToldOnce(results: readonly ScenarioResult[], phase: string): void {
  const hosts = hostFailures(results);
  const titles = results.map(({ title }) => title);
  assert.deepEqual([hosts.length, hosts[0]?.phase, hosts[0]?.scenarios], [1, phase, titles]);
}

/** A silent service is tried twice by each area: the second time proves it, and the rest isn't tried. */
function assertWaitedTwice(results: readonly ScenarioResult[]): void {
  const waited = results.filter(({ exchanges }) =>
    exchanges.some(({ failure }) => failure && !hostPhases.includes(failure.phase)),
  );
  for (const [area, those = []] of Object.entries(Object.groupBy(waited, ({ area }) => area)))
    assert.ok(those.length <= 2, `${area} waited for ${those.length}`);
}

/** No secret in anything that a result holds, and nothing in what is printed that a terminal would obey. */
function assertNothingLeaks(results: readonly ScenarioResult[]): void {
  const causes = causesOfResults('test', results);
  const nothing = { asked: [], remarks: [], credentials: [] };
  const document = JSON.stringify(
    checkDocument({ environment: 'test', startedAt: 0, endedAt: 0, results, causes, ...nothing }),
  );
  const layout = { colors: colours(false), columns: undefined, environmentWidth: 0 };
  const rows = results.flatMap((result) => scenarioRows('test', result, layout)).join('\n');
  // An answer's text stands in for its value, which may be too deep to be written out.
  const all = JSON.stringify(results, (key, value: unknown) => (key === 'json' ? undefined : value));
  for (const [key, secret] of Object.entries(canaries))
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('hex')])
      for (const text of [document, rows, all]) assert.ok(!text.includes(form), `${key} leaked`);
  assert.doesNotMatch(rows.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u);
}

async function assertHealthyCheckPasses(): Promise<void> {
  const environment = embeddedEnvironment(healthy, { requestTimeoutMs: 10_000, consistencyTimeoutMs: 2_000 });
  for (const title of [
    'block, then list, then unblock',
    'update profile, then read it back',
    'evaluate a flag with default',
  ])
    assert.match(told(await play(title, environment)), /^passed/, title);
}
