import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Fault } from '../../reference-service/index.ts';
import { observedFolder } from '../environment/index.ts';
import type { ScenarioResult } from '../run/index.ts';
import { play } from '../testing/play.ts';
import { runInline } from '../testing/programs/run-inline.ts';
import { ownFolder, ownService } from '../testing/servers/own-service.ts';
import { embeddedEnvironment, environmentText } from '../testing/test-environment.ts';

/** Ways in which the responses of `love` may change, and what is reported; a new field breaks nothing. */
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

/** The header `x-drift` selects how the responses of `love` change, or else `kind`. */
function drifting(kind = ''): void {
  const respond: Fault['respond'] =
    () =>
    (response, { headers }) => {
      const body = JSON.parse(String(response.body));
      const changed = { body, ...changes[String(headers['x-drift'] ?? kind)]?.(body) };
      return { ...response, ...changed, body: JSON.stringify(changed.body) };
    };
  service.faults.set({ name: 'drifts', operation: 'love', respond });
}

function check(kind: string, drift: 'fail' | 'warn' = 'fail'): Promise<ScenarioResult> {
  drifting(kind);
  return play('love, then unlove', { ...embeddedEnvironment(service), drift });
}

for (const [kind, reported] of broken)
  test(`check calls it drifted when an answer is ${kind}`, async () => {
    const { verdict, grade, reason = '' } = await check(kind);
    assert.deepEqual({ verdict, grade }, { verdict: 'drifted', grade: 'learned' });
    assert.match(reason, reported);
  });

const warned: [what: string, run: () => Promise<ScenarioResult>, reported: RegExp][] = [
  ['with DRIFT=warn it is a warning', () => check('renamed', 'warn'), /renamed to loveCount\?/],
  ['a new field is noted, and breaks nothing', () => check('new'), /love: \/lovedAt is new/],
];
for (const [what, run, reported] of warned)
  test(what, async () => {
    const { verdict, warnings = [] } = await run();
    assert.equal(verdict, 'passed');
    assert.match(warnings.join('\n'), reported);
  });

test('the suite under Playwright tells every drift on the line of its call, and a new field as a warning', async () => {
  drifting();
  const observed = ownFolder();
  cpSync(observedFolder('local', {}), join(observed, 'drifting'), { recursive: true });
  const spec = [
    `import { scenario } from './sextant.ts';`,
    `scenario('love', { tag: ['@stories', '@reversible'] }, async ({ stories, story, defer }) => {`,
    ...Object.keys(changes).map(
      (kind) => `  await stories.love({ storyId: story.id }).withHeader('x-drift', '${kind}').succeeds();`,
    ),
    '  defer(() => stories.unlove({ storyId: story.id }).settles());',
    `});`,
  ];
  const run = await runInline({
    specs: { 'love.spec.ts': spec.join('\n') },
    environments: {
      drifting: environmentText(service.addresses, { PROVISION_URL: service.provisionUrl, DRIFT: 'fail' }),
    },
    env: { SEXTANT_OBSERVED: observed },
  });
  const { status, errors = [] } = run.tests[0] ?? {};
  assert.equal(status, 'failed', run.console);
  for (const [index, [kind, reported]] of broken.entries()) {
    const error = errors.find((text) => text.includes(`x-drift: ${kind}`)) ?? '';
    assert.match(error, reported);
    assert.match(error, /learned: /);
    assert.ok(run.console.includes(`love.spec.ts:${3 + index}`), run.console);
  }
  assert.equal(errors.length, broken.length, run.console);
  // Warnings are annotations of the test.
  assert.match(readFileSync(join(run.output, 'results.json'), 'utf8'), /\/lovedAt is new/);
});
