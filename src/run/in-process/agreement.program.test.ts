import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../environment/project-root.ts';
import { lastingReason } from '../../testing/lasting-reason.ts';
import { ownFolder, writeFiles } from '../../testing/own-folder.ts';
import { allureResults, runInline } from '../../testing/programs/run-inline.ts';
import { answers } from '../../testing/safety-bench.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { environmentText, loadText, seededData } from '../../testing/test-environment.ts';
import { runAll, type ScenarioResult, scenarios } from '../index.ts';
import { collect, type Scenario } from './collect-scenarios.ts';

const folder = join(projectRoot, 'tests', 'scenarios');

/** Some scenarios, and faults of their operations. Together they have all verdicts except `slow` and `drifted`. */
const files = ['block-list-unblock', 'love-unlove', 'clone-type', 'avatar-add-update', 'delete-by-id', 'flag-known'];
const faults = [answers('unblock', 200), answers('love', 500), answers('cloneType', 403), answers('saveAvatar', 429)];

const service = await ownService();
service.faults.set(...faults);
// No server listens at the storage area's address, and FLAG_KEY, which one scenario needs, is missing.
const broken = environmentText(
  { ...service.addresses, storage: 'http://127.0.0.1:9' },
  { ...seededData, PROVISION_URL: service.provisionUrl, CONSISTENCY_TIMEOUT_MS: 100, FLAG_KEY: undefined },
);
/** The sources of these specs for Playwright. Only the import of the fixtures is changed, to a file in the folder of the run. */
const specs = Object.fromEntries(
  files.map((name) => {
    const text = readFileSync(join(folder, `${name}.spec.ts`), 'utf8');
    return [`${name}.spec.ts`, text.replaceAll('../../fixtures/index.ts', './sextant.ts')];
  }),
);
/** Scenarios of a team with errors that specs may throw and catch. Each title ends in the verdict that both runners must give. */
const helper = "export function helped(): never {\n  throw new TypeError('of a helper');\n}\n";
const ofTeam = `import { expect, scenario } from './sextant.ts';
import { helped } from './helper.ts';
const read = { tag: ['@all', '@read'] };
scenario('a value that is missing: failed', read, async ({ friends }) => {
  (await friends.listBlockers().succeeds()).undocumented('/nothing/here', 'assumed: it is there');
});
scenario('a matcher in the clean-up: failed', read, async ({ friends, defer }) => {
  defer(async () => expect(await friends.listBlockers().succeeds(), 'assumed: it is there').toHold('/nothing/here', 1));
});
scenario('an error in the clean-up: unknown', read, async ({ friends, defer }) => {
  defer(() => (undefined as unknown as { name: string }).name);
});
scenario('a failure that is caught, and a mistake: unknown', read, async ({ friends }) => {
  await friends.listBlockers().isRefused('documented: it is refused').catch(() => {});
  throw new Error('by hand');
});
scenario('an error of a helper of the team: unknown', read, async () => helped());
scenario('a mistake that is caught, and a failure: failed', read, async ({ friends, friend }) => {
  await friends.listBlockers().succeeds('no grade' as 'assumed: x').catch(() => {});
  expect(await friends.listBlockers().succeeds(), 'documented: it is there').toMention(friend.id);
});
scenario('an absence in the clean-up that nothing proves: skipped', read, async ({ friends, friend, defer }) => {
  defer(async () => expect(await friends.listBlockers().succeeds(), 'documented: nobody').not.toMention(friend.id));
});
scenario('an absence that is read again in the clean-up: skipped', read, async ({ friends, friend, defer }) => {
  defer(() => friends.listBlockers().eventually((list) => expect(list, 'documented: nobody').not.toMention(friend.id)));
});
scenario('an absence in the clean-up beside a failure: failed', read, async ({ friends, friend, defer }) => {
  defer(() => friends.listBlockers().isRefused('documented: it is refused'));
  defer(() => friends.listBlockers().eventually((list) => expect(list, 'documented: nobody').not.toMention(friend.id)));
});
`;
Object.assign(specs, { 'of-team.spec.ts': ofTeam, 'helper.ts': helper });
// One worker, because a second worker would load all modules again, which takes time.
const run = await runInline({ specs, environments: { broken }, args: ['--workers=1'] });
process.env.SEXTANT_OUTPUT = run.output;
const environment = loadText('broken', broken);
const all = await scenarios();
const inProcess = await play(all.filter(({ file }) => files.some((name) => file.endsWith(`${name}.spec.ts`))));

function play(chosen: readonly Scenario[]): Promise<ScenarioResult[]> {
  return runAll(chosen, { environment, seed: randomUUID(), runId: randomUUID() });
}

test('both runners say the same of every scenario, verdict, grade and reason', () => {
  const met = new Set(inProcess.map(({ verdict }) => verdict));
  assert.deepEqual([...met].sort(), ['failed', 'passed', 'refused', 'skipped', 'unknown', 'unreachable']);
  const ofProcess = inProcess.map((each) => [each.title, said(each)]);
  const titles = new Set(inProcess.map(({ title }) => title));
  const ofPlaywright = run.tests
    .filter(({ title }) => titles.has(title))
    .map(({ title, document }) => [title, document && said(document)]);
  assert.deepEqual(Object.fromEntries(ofPlaywright), Object.fromEntries(ofProcess));
});

test('no failure brings another worker', () => {
  const labels = allureResults(join(run.output, 'allure-results')).flatMap((result) => result.labels);
  assert.equal(new Set(labels.flatMap(({ name, value }) => (name === 'thread' ? [value] : []))).size, 1);
});

test('both runners say the same of what the scenarios of a team throw, catch and clean up', async () => {
  const fixtures = JSON.stringify(join(projectRoot, 'fixtures/index.ts'));
  const own = writeFiles(ownFolder(), {
    'package.json': { type: 'module' },
    'sextant.ts': `export * from ${fixtures};\n`,
    'of-team.spec.ts': ofTeam,
    'helper.ts': helper,
  });
  const played = await play(await collect(own));
  assert.ok(played.length >= 8);
  const stated = (title: string) => title.split(': ').at(-1);
  for (const { title, verdict, reason } of played) {
    const document = run.tests.find((each) => each.title === title)?.document;
    assert.deepEqual([verdict, document?.verdict], [stated(title), stated(title)], title);
    assert.doesNotMatch(reason ?? '', /bug in Sextant/);
  }
});

function said({ verdict, grade, reason = '' }: Pick<ScenarioResult, 'verdict' | 'grade' | 'reason'>): string {
  return [verdict, grade ?? 'no grade', lastingReason(reason)].join(' · ');
}
