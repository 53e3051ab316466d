import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../environment/project-root.ts';
import { ownCheckout } from '../../testing/programs/own-checkout.ts';
import { until } from '../../testing/programs/run-command.ts';
import { fetchOnce } from '../../testing/servers/listening.ts';
import { ownEnvironments, ownService } from '../../testing/servers/own-service.ts';
import { environmentText, seededData } from '../../testing/test-environment.ts';

const service = await ownService();
const own = ownEnvironments({
  // The drill needs the environment `local`.
  local: readFileSync(join(projectRoot, 'environments', 'local.env'), 'utf8'),
  one: environmentText(service.addresses, { ...seededData, ALLOWED_EFFECTS: 'read,reversible' }),
});
const env = { ...own.env, SEXTANT_STATE: join(own.folder, 'state') };

const declared = (title: string, tags: string, ...body: readonly string[]) =>
  `scenario('${title}', { tag: [${tags}] }, async ({ stories, friends, friend, language, defer }) => {\n${body.map((line) => `  ${line}\n`).join('')}});\n`;
const spec = (title: string, ...body: readonly string[]) =>
  `import { scenario } from '../../fixtures/index.ts';\n${declared(title, "'@stories', '@read'", ...body)}`;
const READ = 'await stories.reportOptions({ language }).succeeds();';

const LATER = "if (turns === 0) throw new Error('late'); late(turns - 1);";

/** A team's own specs, each with a mistake: the source, the line of the mistake, and the message about it. */
const mistakes: Readonly<Record<string, readonly [source: string, line: number, says: RegExp]>> = {
  'awaits.spec.ts': [
    spec('forgets one await', "stories.reportOptions({ language: 'xx' }).succeeds();", READ),
    3,
    /reportOptions was not awaited/,
  ],
  'exits.spec.ts': [spec('exits', 'setImmediate(() => process.exit(0));', READ, READ), 3, /process\.exit would end/],
  'lost.spec.ts': [
    `import { scenario } from '../../fixtures/index.ts';\n${declared(
      'blocks and throws',
      "'@friends', '@reversible'",
      'await friends.block({ friendId: friend.id }).succeeds();',
      'defer(() => friends.unblock({ friendId: friend.id }).settles());',
      "[1].map(async () => Promise.reject(new Error('lost')));",
      'await friends.listBlocked().succeeds();',
    )}`,
    5,
    /a promise was rejected, and nothing waits for it: Error: lost/,
  ],
  'json.spec.ts': [
    `import data from '../helpers/data.json';\n${spec('json', `void data; ${READ}`)}`,
    1,
    /the file does not load: .* write import … from '\.\.\/helpers\/data\.json' with/,
  ],
};
const right = {
  'prints.spec.ts': `console.log('loaded');\n${spec('prints', "console.log('played');", "process.stdout.write('raw\\n');", READ)}`,
  // Throws an error long after the end of the scenario (500 turns of the event loop). The verdict waits for only one turn, so the scenario
  // passes.
  'late.spec.ts': spec(
    'is late',
    `const late = (turns: number) => setImmediate(() => { ${LATER} });`,
    'defer(() => late(500));',
    READ,
  ),
  'code.spec.ts': spec('sets the exit code', 'process.exitCode = 7;', READ),
};
const specs = { ...Object.fromEntries(Object.entries(mistakes).map(([name, [text]]) => [name, text])), ...right };
const sextant = ownCheckout(
  own.folder,
  {
    ...Object.fromEntries(Object.entries(specs).map(([name, text]) => [`scenarios/${name}`, text])),
    'helpers/data.json': { language: 'en' },
    '../own-reporter.ts': 'export default class {}',
  },
  env,
);

const LATE =
  /late\.spec\.ts:3: a timer or an event threw an error that nothing catches: Error: late; .* its scenario had ended, /;

/** Asserts that a text has each mistake with its file and line, but neither a stack nor the message about a bug. */
function assertSaid(text: string): void {
  for (const [name, [, line, says]] of Object.entries(mistakes))
    assert.match(text, new RegExp(`tests/scenarios/${name}:${line}: .*${says.source}`));
  assert.doesNotMatch(text, /bug in Sextant|^\s+at \S+ \(/m);
}

test('check plays the rest, undoes what was changed, and its document stays one', async () => {
  const { status, stdout, stderr } = await sextant.run('check', '--env', 'one', '--json', '--yes');
  assert.equal(status, 3, stderr);
  const { scenarios } = JSON.parse(stdout) as { scenarios: { title: string; verdict: string; reason: string }[] };
  const counts = Map.groupBy(scenarios, ({ verdict }) => verdict);
  assert.deepEqual([counts.get('unknown')?.length, counts.get('passed')?.length, counts.size], [4, 3, 2], stdout);
  assertSaid(scenarios.map(({ reason }) => reason).join('\n'));
  assert.match(stderr, /loaded\n[\s\S]*played\nraw\n/);
  assert.match(stderr, LATE);
  assert.match((await sextant.run('undo', '--env', 'one')).stdout, /Nothing|nothing/);
});

// Reporters share a run where their outputs can be told apart, because each run starts Playwright and Allure.
for (const reporters of [[], ['json', 'junit'], ['line', './own-reporter.ts']])
  test(`test plays the rest, and its files and exit code are the same with ${reporters.join(', ') || 'no other'} reporter`, async () => {
    const more = reporters.length > 0 ? ['--', '--reporter', reporters.join()] : [];
    const { status, stdout, stderr } = await sextant.run('test', '--env', 'one', '--yes', ...more);
    assert.equal(status, 3, stdout + stderr);
    const read = (name: string) => readFileSync(join(env.SEXTANT_OUTPUT, name), 'utf8');
    const { passed, unknown, failed } = JSON.parse(read('summary.json'));
    assert.deepEqual([passed, unknown, failed], [3, 4, 0]);
    assertSaid(read('junit.xml').replaceAll('&apos;', "'"));
    assert.match(read('report/index.html'), /<html/);
    if (reporters.length === 0) assertSaid(stdout);
    else assert.doesNotMatch(stdout, /^ {2}(Total|Report) /m);
    if (reporters.includes('json')) {
      // Standard output is the two documents, and nothing else.
      const [json = '', ...junit] = stdout.split(/^(?=<testsuites)/m);
      assert.equal(JSON.parse(json).stats.unexpected, 3);
      assert.match(junit.join(''), /^<testsuites[\s\S]*<\/testsuites>\n?$/);
    }
    assert.match(stderr, /loaded\n[\s\S]*played\nraw\n/);
  });

test('the monitor lives on, shows what is up, and ends as ever', async () => {
  const data = join(own.folder, 'data');
  const monitor = sextant.start('monitor', '--env', 'one', '--every', '5s', '--port', '0', '--data', data, '--yes');
  const page = () => /Status page: (http:\S+)/.exec(monitor.said())?.[1];
  await until(() => page() !== undefined, monitor);
  const isUp = (metrics: string, title: string) =>
    new RegExp(`^sextant_scenario_state\\{.*scenario="${title}".*state="up".*\\} 1$`, 'm').test(metrics);
  await until(async () => {
    const metrics = await (await fetchOnce(new URL('/metrics', page()))).text();
    return isUp(metrics, 'prints') && isUp(metrics, 'sets the exit code') && LATE.test(monitor.said());
  }, monitor);
  monitor.child.kill('SIGTERM');
  assert.equal(await monitor.ended, 0, monitor.said());
});

test('the prober lives on, and judges the rest', async () => {
  const prober = sextant.start('prober', '--env', 'one', '--listen', '127.0.0.1:0', '--yes', '--trust-state');
  const address = () => /Prober: (http:\S+)/.exec(prober.said())?.[1];
  await until(() => address() !== undefined, prober);
  const probe = async (module: string) =>
    (await fetchOnce(new URL(`/probe?target=one&module=${module}`, address()))).text();
  for (const module of ['forgets-one-await', 'exits', 'blocks-and-throws'])
    assert.match(await probe(module), /^sextant_probe_judged 0$/m, module);
  assert.match(await probe('prints'), /^probe_success 1$/m);
  prober.child.kill('SIGTERM');
  assert.equal(await prober.ended, 0, prober.said());
});

for (const [args, ends] of [
  // Exit 3, because `late.spec.ts` throws an error after the end of its scenario.
  [['survey', '--env', 'one', '--yes'], [3]],
  [
    ['drill', '--fault', 'reportOptions-*'],
    [0, 1],
  ],
] as const)
  test(`${args[0]} comes to its end`, async () => {
    const { status, stdout, stderr } = await sextant.run(...args);
    assert.ok(
      ends.some((code) => code === status),
      `${status}\n${stdout}${stderr}`,
    );
    assert.doesNotMatch(stdout + stderr, /bug in Sextant|^\s+at \S+ \(/m);
  });
