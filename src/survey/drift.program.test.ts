import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Fault, faults } from '../../reference-service/index.ts';
import { type Environment, observedFolder } from '../environment/index.ts';
import { factsText } from '../facts/index.ts';
import { statusOf } from '../monitor/status/status.ts';
import { probeMetrics } from '../prober/metrics.ts';
import { outcomeOfProbe } from '../prober/prober.ts';
import {
  acceptingCommand,
  allScenarios,
  driftsOf,
  exitCode,
  overallVerdict,
  runScenario,
  type ScenarioResult,
} from '../run/index.ts';
import { makeRecorder, recordRun } from '../testing/monitor/open-recorder.ts';
import { play } from '../testing/play.ts';
import { runInline } from '../testing/programs/run-inline.ts';
import { ownFolder, ownService } from '../testing/servers/own-service.ts';
import {
  embeddedEnvironment,
  environmentText,
  type FactLine,
  factsOf,
  loadText,
  seededData,
} from '../testing/test-environment.ts';

/**
 * Ways in which the responses of `love` may change. `broken` has the messages about changes that break a consumer. A new field breaks no
 * consumer.
 */
const changes: Readonly<Record<string, (body: Record<string, unknown>) => Partial<{ status: number; body: object }>>> =
  {
    renamed: ({ loves, ...rest }) => ({ body: { ...rest, loveCount: loves } }),
    status: () => ({ status: 202 }),
    new: (body) => ({ body: { ...body, lovedAt: 'now' } }),
  };
const broken = [
  ['renamed', /\/loves is missing; renamed to loveCount\?/],
  ['status', /status 202, but 200 was observed/],
] as const;

const service = await ownService();

/** Changes the responses of `love` as the header `x-drift` says, or as `kind` says if the header is missing. */
function driftOf(kind = ''): Fault {
  const respond: Fault['respond'] =
    () =>
    (response, { headers }) => {
      const body = JSON.parse(String(response.body));
      const changed = { body, ...changes[String(headers['x-drift'] ?? kind)]?.(body) };
      return { ...response, ...changed, body: JSON.stringify(changed.body) };
    };
  return { name: 'drifts', operation: 'love', respond };
}

interface Row {
  readonly title: string;
  readonly fact?: FactLine;
  readonly fault: Fault;
  readonly breaks: boolean | 'shape';
  readonly says: string;
}

/** These facts must be given, because a run can't find out the accepted forms of arguments. */
const forms = ['saveAvatar avatar-form: marked', 'updateProfile profile-form: text'] as const;

const faultNamed = (name: string) => faults.find((each) => each.name === name) as Fault;
const unchecked = (...names: NonNullable<Fault['unchecked']>): Fault => ({
  name: 'unchecked',
  operation: 'listBlocked',
  unchecked: names,
});

/** Faults that contradict only facts and observed responses, each with the scenario that notices the fault. */
const rows: readonly Row[] = [
  {
    title: 'an avatar keeps its items',
    fact: 'saveAvatar avatar-items: shown',
    fault: faultNamed('saveAvatar-drops-items'),
    breaks: true,
    says: "Profile: saveAvatar no longer shows the avatar's items (it did on 3 Nov)",
  },
  {
    title: 'a love is kept',
    fact: "love love-shown: the friend's next response to love shows it at /loves",
    fault: faultNamed('love-not-written'),
    breaks: true,
    says: 'Stories: love no longer shows at /loves (it did on 3 Nov)',
  },
  {
    title: 'what a survey found of friends is still so (read)',
    fact: 'listBlocked missing-header:mm-client-id: refused with 400',
    fault: unchecked('mm-client-id'),
    breaks: false,
    says: 'Friends: listBlocked accepts a request without mm-client-id (it refused it with 400 on 3 Nov)',
  },
  {
    title: 'what a survey found of friends is still so (read)',
    fact: 'listBlocked token-user: tied',
    fault: unchecked('mm-user-id'),
    breaks: true,
    says: 'Friends: listBlocked accepts the id of another user next to a token (it refused it on 3 Nov)',
  },
  {
    title: 'what a survey found of friends is still so (read)',
    fact: 'listBlocked missing-header:Authorization: refused with 401',
    fault: unchecked('authorization', 'mm-user-id'),
    breaks: true,
    says: 'Friends: listBlocked accepts a request without Authorization (it refused it with 401 on 3 Nov)',
  },
  {
    title: 'love, then unlove',
    fault: driftOf('renamed'),
    breaks: 'shape',
    says: 'Stories: love responds differently than on 3 Nov: /loves is missing; renamed to loveCount?',
  },
];

/**
 * How drift appears, by the value of DRIFT, and by whether the drift breaks a consumer, or only the shape of responses. Each text has four
 * parts: exit code and verdict of a check · state of the monitor and number of notices after one run · the same after two runs ·
 * `probe_success` and `sextant_drifted` of the prober.
 */
const looks = {
  fail: {
    true: '1 drifted · down 1 · down 1 · 0 0',
    false: '1 drifted · degraded 0 · degraded 0 · 1 1',
    shape: '1 drifted · degraded 0 · down 1 · 0 0',
  },
  warn: {
    true: '0 passed · up 0 · up 0 · 1 0',
    false: '0 passed · up 0 · up 0 · 1 0',
    shape: '0 passed · up 0 · up 0 · 1 0',
  },
} as const;

const cases = ([undefined, 'fail', 'warn'] as const).flatMap((given) =>
  ['', 'true'].map((ci) => ({ given, ci, drift: given ?? 'fail' }) as const),
);

for (const { title, fact, fault, breaks, says } of rows)
  test(`${says}: the same on a laptop and in CI`, async (t) => {
    service.faults.set(fault);
    const facts = factsOf(...forms, ...(fact ? [fact] : []));
    const scenario = (await allScenarios()).find((each) => each.title === title);
    assert.ok(scenario);
    for (const { given, ci, drift } of cases) {
      const settings = loadText('drifting', environmentText(service.addresses, { DRIFT: given }), ci ? { CI: ci } : {});
      const environment = { ...embeddedEnvironment(service), facts, drift: settings.drift };
      const result = await runScenario(scenario, { environment, seed: '1', runId: randomUUID() });
      const { verdict, reason, warnings = [] } = result;
      const outcome = outcomeOfProbe([result]);
      const { body: metrics } = probeMetrics({ results: [result], outcome, durationMs: 1 });
      const [success, other] = ['probe_success', 'sextant_drifted'].map(
        (name) => new RegExp(`^${name} (.*)$`, 'm').exec(metrics)?.[1],
      );
      assert.equal(
        [
          `${exitCode(overallVerdict([verdict]))} ${verdict}`,
          ...monitored(t, environment, result),
          `${success} ${other}`,
        ].join(' · '),
        looks[drift][`${breaks}`],
        `DRIFT=${given} CI=${ci}: ${reason}`,
      );
      const said = (drift === 'fail' ? [reason ?? ''] : warnings).map((text) =>
        text.replace(/(?<=than on )\d+ \w+/, '3 Nov'),
      );
      assert.ok(said.includes(says), [reason, ...warnings].join('\n'));
      assert.match(
        acceptingCommand('local', driftsOf(result)) ?? '',
        /^npx sextant survey --env local --update --only '/,
      );
    }
  });

/** The state of the monitor and its number of notices, after one run and after two. */
function monitored(t: TestContext, environment: Environment, result: ScenarioResult): string[] {
  const rule = { downAfter: 1, upAfter: 1, remindAfterMs: 3_600_000, gatherMs: 0 };
  const recorder = makeRecorder(join(ownFolder(), 'h.sqlite'), [environment], { rule });
  t.after(() => recorder.close());
  const ref = { environment: environment.name, title: result.title };
  const { area, effect, startedAt } = result;
  recorder.enterAll([{ ...ref, area, effect }], startedAt);
  return [0, 60_000].map((later) => {
    const at = startedAt + later;
    recordRun(recorder, environment, { first: { ...result, startedAt: at } }, at);
    const notices = recorder.db.all('SELECT body FROM notice').map(({ body }) => String(body));
    for (const body of notices) assert.match(body, /"accept":\["npx sextant survey --env local --update --only '/);
    return `${statusOf(recorder.scenarios.get(ref).standing)} ${notices.length}`;
  });
}

test('a header that the facts say is checked, and is not any more, has drifted as DRIFT says', async () => {
  const header = 'evaluate wrong-header:mm-client-id: refused with 401';
  service.faults.set(faultNamed('evaluate-api-key-of-one-client-serves-all'));
  const title = 'evaluate with mm-client-id wrong is refused';
  const scenario = (await allScenarios()).find((each) => each.title === title);
  assert.ok(scenario);
  for (const [drift, expected] of [
    ['fail', 'drifted'],
    ['warn', 'skipped'],
  ] as const) {
    const environment = { ...embeddedEnvironment(service), facts: factsOf(header), drift };
    const {
      verdict,
      reason,
      warnings = [],
    } = await runScenario(scenario, { environment, seed: '1', runId: randomUUID() });
    assert.equal(verdict, expected, reason);
    assert.match([reason, ...warnings].join('\n'), /^Feature toggles: evaluate accepts an invented mm-client-id/m);
  }
});

test('a new field is noted, and breaks nothing', async () => {
  service.faults.set(driftOf('new'));
  const { verdict, warnings = [] } = await play('love, then unlove', embeddedEnvironment(service));
  assert.equal(verdict, 'passed');
  assert.match(warnings.join('\n'), /love: \/lovedAt is new/);
});

test('under Playwright every drift is red on the line of its call; with DRIFT=warn, and for a new field, it is a warning, which the last line counts', async () => {
  const [avatar, love, client] = rows as [Row, Row, Row];
  service.faults.set(driftOf(), avatar.fault, love.fault, client.fault);
  const observed = ownFolder();
  for (const name of ['drifting', 'warned'])
    cpSync(observedFolder('local', {}), join(observed, name), { recursive: true });
  const importing = `import { holdFacts, scenario } from './sextant.ts';`;
  const lines = [
    importing,
    `scenario('love', { tag: ['@stories', '@reversible'] }, async ({ stories, story, defer }) => {`,
    ...Object.keys(changes).map(
      (kind) => `  await stories.love({ storyId: story.id }).withHeader('x-drift', '${kind}').succeeds();`,
    ),
    '  defer(() => stories.unlove({ storyId: story.id }).settles());',
    `});`,
  ];
  const ofFacts = [
    importing,
    `scenario('${avatar.title}', { tag: ['@profile', '@overwriting'] }, async ({ profile, newAvatar, keepsItems }) => {`,
    '  const save = () => profile.saveAvatar(newAvatar()).succeeds();',
    '  await keepsItems(await save(), await save());',
    '});',
    `scenario('${love.title}', { tag: ['@stories', '@reversible'] }, async ({ stories, story, lovesShownBy, confirmed, defer }) => {`,
    `  const { sees, isUnlike } = await lovesShownBy(${JSON.stringify(love.fact?.replace(/^love love-shown: /, ''))});`,
    '  defer(() => stories.unlove({ storyId: story.id }).settles());',
    '  await confirmed(1, async () => isUnlike(await sees(story), await sees(story)));',
    '});',
    `scenario('${client.title}', { tag: ['@friends', '@read'] }, async ({ world }) => holdFacts(world, 'friends', 'read'));`,
  ];
  const keys = { ...seededData, PROVISION_URL: service.provisionUrl };
  const facts = factsText(factsOf(...forms, ...[avatar, love, client].flatMap(({ fact }) => fact ?? [])));
  const run = await runInline({
    specs: { 'love.spec.ts': lines.join('\n'), 'facts.spec.ts': ofFacts.join('\n') },
    // One team doesn't set DRIFT, which makes drift a failure; another team wants only warnings.
    environments: {
      drifting: environmentText(service.addresses, keys),
      warned: environmentText(service.addresses, { ...keys, DRIFT: 'warn' }),
    },
    files: { 'environments/drifting.facts.json': facts, 'environments/warned.facts.json': facts },
    env: { SEXTANT_OBSERVED: observed },
  });
  const statuses = (project: string) =>
    run.tests.filter((each) => each.project === project).map(({ status }) => status);
  assert.deepEqual(statuses('drifting'), Array(4).fill('failed'), run.console);
  assert.deepEqual(statuses('warned'), Array(4).fill('passed'), run.console);
  const { errors = [] } = run.tests.find((each) => each.project === 'drifting' && each.title === 'love') ?? {};
  for (const [index, [kind, reported]] of broken.entries()) {
    const error = errors.find((text) => text.includes(`x-drift: ${kind}`)) ?? '';
    assert.match(error, reported);
    assert.match(error, /learned: /);
    assert.ok(run.console.includes(`love.spec.ts:${3 + index}`), run.console);
  }
  assert.equal(errors.length, broken.length, run.console);
  // Under Playwright, warnings are annotations of the test.
  assert.match(readFileSync(join(run.output, 'results.json'), 'utf8'), /\/lovedAt is new/);
  for (const { says } of [avatar, love, client]) {
    assert.ok(run.console.includes(`\n  drifting: ${says} (1 test)`), run.console);
    assert.ok(run.console.includes(`  warning: warned: ${says} (1 test)`), run.console);
  }
  // For each environment with drift, the console shows one command that accepts the drift.
  assert.equal(run.console.match(/survey --env \w+ --update/g)?.length, 2, run.console);
  assert.match(run.console, /\n {2}4 drifted, 4 passed, 9 warnings \(\d/);
});
