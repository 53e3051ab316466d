import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, test } from 'node:test';
import type { Environment } from '../environment/index.ts';
import { scenarios } from '../run/index.ts';
import { type AskOptions, startProberBench } from '../testing/programs/prober-bench.ts';
import { Arrivals } from '../testing/servers/arrivals.ts';
import { ownService } from '../testing/servers/own-service.ts';
import { embeddedEnvironment } from '../testing/test-environment.ts';

const arrivals = new Arrivals();
const service = await ownService();
const local = embeddedEnvironment(service);
const readOnly: Environment = { ...local, name: 'read-only', allowedEffects: new Set(['read']) };
const { provisionUrl: _, ...unprovided } = local;
const { flagKey: __, ...withoutFlag } = local.data;
const bare: Environment = { ...unprovided, name: 'bare', data: { ...local.data, storedItemIds: [] } };
const noFlag: Environment = { ...local, name: 'no-flag', data: withoutFlag };
const all = await scenarios();
const bench = await startProberBench([local, readOnly, bare, noFlag], all);
bench.served.set('broken', { state: 'broken', reason: 'broken.env  STORY_URL  is missing' });
bench.served.set('unasked', { state: 'refused', reason: 'Nothing was sent: … needs your consent.' });
bench.served.set('forgetful', { state: 'ready', environment: readOnly, restriction: 'its journal would not last' });
await bench.look();
after(() => bench.stop());

const flag = 'module=evaluate-a-flag-with-default';
const crossSite = { headers: { 'sec-fetch-site': 'cross-site' } };
const log = /^success: passed.*[\s\S]*GET http:[\s\S]*probe_success 1$/m;

const rows: [title: string, request: string, status: number, text: RegExp, options?: AskOptions][] = [
  ['one scenario', `/probe?target=local&${flag}`, 200, /^probe_success 1$/m],
  ['an area', '/probe?target=local&module=stories', 200, /^probe_success 1$/m],
  ['everything by default', '/probe?target=local', 200, /operation="evaluate"[\s\S]*operation="love"/],
  ['what is allowed of everything', '/probe?target=read-only', 200, /^probe_success 1$/m],
  ['the log', '/probe?target=read-only&module=stories&debug=true', 200, log],
  ['no target', '/probe', 400, /^target is missing\. Targets: local, read-only, bare, no-flag, broken, /],
  ['an unknown target', '/probe?target=locall', 400, /^No target "locall" \(did you mean local\?\)\. Targets: local,/],
  ['a target as long as a book', `/probe?target=${'x'.repeat(9_000)}`, 400, /^No target "x{100}"\. /],
  ['a prototype', '/probe?target=__proto__', 400, /^No target "__proto__"/],
  [
    'an unknown module',
    '/probe?target=local&module=storys',
    400,
    /^No module "storys" \(did you mean stories\?\)\. Modules: all, /,
  ],
  ['a module that nothing of is allowed', '/probe?target=read-only&module=love-then-unlove', 403, /ALLOWED_EFFECTS/],
  ['a state that would be lost', '/probe?target=forgetful&module=love-then-unlove', 403, /its journal would not last/],
  ['a target that broke', '/probe?target=broken', 500, /^broken\.env {2}STORY_URL {2}is missing$/m],
  ['a target without consent', '/probe?target=unasked', 403, /needs your consent/],
  ['a page of another site', '/probe?target=local', 403, /Web pages/, crossSite],
  ['a look without a body, which would play a run', '/probe?target=local', 404, /^$/, { method: 'HEAD' }],
  [
    'the last probes',
    '/',
    200,
    /<h1>Last probes<\/h1>.*<td>read-only<\/td>.*module=stories&amp;debug=true.*<td>passed<\/td>/s,
  ],
  ['no such page', '/probes', 404, /There are \/, \/probe, \/targets, \/metrics, \/healthz and \/readyz/],
  ['health', '/healthz', 200, /"isWell":false.*"environment":"broken","reason":"broken.env {2}STORY_URL/],
  ['readiness', '/readyz', 200, /^ready$/m],
  ['own metrics', '/metrics', 200, /^sextant_environment_problem\{environment="broken"\} 1$/m],
  ['the process', '/metrics', 200, /^process_resident_memory_bytes \d+$/m],
];
for (const [title, request, status, text, options] of rows)
  test(`${title}: ${status}`, async () => {
    const answer = await bench.ask(request, options);
    assert.equal(answer.status, status, answer.text);
    assert.match(answer.text, text);
  });

test('a probe has the names that dashboards know, and no label but those of a fixed set', async () => {
  const { text, metric, headers } = await bench.ask(`/probe?target=local&${flag}`);
  assert.match(headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  assert.equal(metric('probe_http_status_code'), 200);
  for (const phase of ['resolve', 'connect', 'tls', 'processing', 'transfer'])
    assert.ok(Number(metric(`probe_http_duration_seconds{phase="${phase}"}`)) >= 0, phase);
  assert.ok(Number(metric('probe_duration_seconds')) > 0);
  assert.equal(metric('sextant_probe_judged'), 1);
  const labels = [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => `${name}=${value}`);
  for (const label of labels)
    assert.match(label, /^(phase=(resolve|connect|tls|processing|transfer)|verdict=[a-z]+|operation=evaluate)$/);
});

test('the page of the last probes has the reason of one that failed', async () => {
  service.faults.set({ name: 'love is broken', operation: 'love', arrive: () => () => ({ status: 500, body: {} }) });
  await bench.ask('/probe?target=local&module=love-then-unlove');
  service.faults.set();
  const { text } = await bench.ask('/');
  assert.match(text, /<td>failed<\/td>.*>love, then unlove: .*got 500 Internal Server Error<\/td>/s);
});

test('what an environment never has the data for is no target, and finding that out sends nothing', async () => {
  let groups: { targets: string[]; labels: { scenario: string } }[] = [];
  const sent = await arrivals.during(async () => {
    groups = JSON.parse((await bench.ask('/targets')).text);
  });
  assert.equal(sent.map(({ path }) => path).join(), '/targets');
  const titles = (name: string) =>
    groups.flatMap(({ targets, labels }) => (targets[0] === name ? labels.scenario : []));
  const isOfFlag = (title: string) => /\ba flag that exists\b/.test(title);
  const others = titles('local').filter((title) => !isOfFlag(title));
  assert.equal(titles('local').length - others.length, 2);
  assert.deepEqual(titles('no-flag'), others, 'no provisioner makes a flag');
  const lacking = titles('local').filter((title) => !titles('bare').includes(title));
  assert.ok(lacking.length > 0 && titles('bare').length > 0, lacking.join());
  for (const title of lacking) {
    const { text } = await bench.ask(`/probe?target=bare&module=${encodeURIComponent(title)}&debug=true`);
    assert.match(text, /skipped.*needs/s, title);
  }
});

test('targets are what may run, where it can run, in the format of http_sd', async () => {
  const { text, headers } = await bench.ask('/targets');
  assert.match(headers.get('content-type') ?? '', /^application\/json/);
  const groups: { targets: string[]; labels: Record<string, string> }[] = JSON.parse(text);
  const of = (name: string) => groups.filter(({ targets }) => targets.length === 1 && targets[0] === name);
  assert.deepEqual([of('broken').length, of('unasked').length], [0, 0]);
  assert.equal(of('local').length, all.length);
  assert.ok(of('read-only').every(({ labels }) => labels.effect === 'read'));
  assert.deepEqual(of('read-only').find(({ labels }) => labels.area === 'features')?.labels, {
    __param_module: 'evaluate-a-flag-that-exists',
    environment: 'read-only',
    area: 'features',
    scenario: 'evaluate a flag that exists',
    effect: 'read',
  });
});

const promtool = spawnSync('promtool', ['--version']).status === 0;
for (const path of ['/metrics', '/probe?target=local&module=stories'])
  test(`promtool's lint finds nothing in ${path}`, { skip: !promtool && 'promtool is not installed' }, async () => {
    const { text: input } = await bench.ask(path);
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' });
    assert.deepEqual([status, stdout, stderr], [0, '', '']);
  });

test('whatever targets are asked for, no series is added', async () => {
  const names = async () => (await bench.ask('/metrics')).text.match(/^sextant_\S+(?= )/gm);
  const before = await names();
  for (let index = 0; index < 20; index++) await bench.ask(`/probe?target=made-up-${index}&module=made-up-${index}`);
  assert.deepEqual(await names(), before);
});
