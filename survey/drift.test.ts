import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type AreaId, areaIds } from '../catalogue/index.ts';
import { type Environment, observedFolder } from '../environments/index.ts';
import { environmentText } from '../fixtures/testing/environment-text.ts';
import { runInline } from '../fixtures/testing/run-inline.ts';
import { runScenario, type ScenarioResult, scenarios } from '../resident/index.ts';
import { type Service, startService } from '../service/index.ts';
import { drifting, driftKinds, newField } from './testing/drifts.ts';
import { environmentOf } from './testing/surveyed.ts';
import { startVariant } from './testing/variant-server.ts';

let service: Service;
let proxy: Awaited<ReturnType<typeof startVariant>>;
before(async () => {
  service = await startService({ port: 0 });
  proxy = await startVariant(service, drifting);
});
after(async () => {
  await proxy.stop();
  await service.stop();
});

const addressesOf = (kind: string) =>
  Object.fromEntries(areaIds.map((area) => [area, `${proxy.addresses[area]}/${kind}`])) as Record<AreaId, string>;

/** One scenario under the resident host, as `check` runs it. */
async function check(kind: string, drift: 'fail' | 'warn'): Promise<ScenarioResult> {
  const scenario = (await scenarios()).find(({ title }) => title === 'love, then unlove');
  assert.ok(scenario);
  const environment: Environment = {
    ...environmentOf({ addresses: addressesOf(kind), provisionUrl: proxy.provisionUrl }),
    drift,
  };
  return runScenario(scenario, { environment, seed: '1', runId: randomUUID() });
}

for (const [kind, { told }] of Object.entries(driftKinds)) {
  test(`check calls it drifted when an answer is ${kind}`, async () => {
    const { verdict, grade, reason = '' } = await check(kind, 'fail');
    assert.deepEqual({ verdict, grade }, { verdict: 'drifted', grade: 'learned' });
    assert.match(reason, told);
  });
}

test('with DRIFT=warn it is a warning', async () => {
  const { verdict, warnings = [] } = await check('renamed', 'warn');
  assert.equal(verdict, 'passed');
  assert.match(warnings.join('\n'), driftKinds['renamed']?.told ?? /^$/);
});

test('a new field is noted, and breaks nothing', async () => {
  const { verdict, warnings = [] } = await check('new', 'fail');
  assert.equal(verdict, 'passed');
  assert.match(warnings.join('\n'), newField.told);
});

test('the suite under Playwright tells every drift on the line of its call, and only warns where it should', async () => {
  const observed = mkdtempSync(join(tmpdir(), 'sextant-observed-'));
  const modes = ['fail', 'warn'] as const;
  for (const mode of modes) cpSync(observedFolder('local', {}), join(observed, mode), { recursive: true });
  const environments = modes.map((mode) => {
    const rest = { PROVISION_URL: proxy.provisionUrl, DRIFT: mode };
    return [mode, environmentText(addressesOf('none'), rest)] as const;
  });
  const spec = [...Object.keys(driftKinds), 'new'].flatMap((kind) => [
    `scenario('${kind}', { tag: ['@stories', '@reversible'] }, async ({ stories, story }) => {`,
    `  await stories.love({ storyId: story.id }).withHeader('x-drift', '${kind}').succeeds();`,
    `});`,
  ]);
  const run = await runInline({
    specs: { 'love.spec.ts': [`import { scenario } from './sextant.ts';`, ...spec].join('\n') },
    environments: Object.fromEntries(environments),
    env: { SEXTANT_OBSERVED: observed },
  });
  try {
    const of = (mode: string, kind: string) =>
      run.tests.find(({ project, title }) => project === mode && title === kind);
    for (const [index, [kind, { told }]] of Object.entries(driftKinds).entries()) {
      const { status, errors = [], line } = of('fail', kind) ?? {};
      assert.deepEqual({ kind, status, line }, { kind, status: 'failed', line: 3 + index * 3 }, run.console);
      assert.match(errors.join('\n'), told);
      assert.match(errors.join('\n'), /learned: /);
      assert.equal(of('warn', kind)?.status, 'passed', run.console);
    }
    for (const mode of modes) assert.equal(of(mode, 'new')?.status, 'passed', run.console);
    // What only warns stands beside the test.
    const annotations = readFileSync(join(run.output, 'results.json'), 'utf8');
    for (const told of ['renamed to loveCount?', '/lovedAt is new']) assert.ok(annotations.includes(told), told);
  } finally {
    run.remove();
    rmSync(observed, { recursive: true, force: true });
  }
});
