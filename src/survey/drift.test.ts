import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { observedFolder } from '../config/index.ts';
import type { Replied } from '../fault-injection/wire/act.ts';
import type { ScenarioResult } from '../runner/index.ts';
import { type AreaId, areaIds } from '../spec/index.ts';
import { play } from '../testing/play.ts';
import { runInline } from '../testing/programs/run-inline.ts';
import { ownFolder, ownService } from '../testing/servers/own-service.ts';
import { startProxy, type WireVariant } from '../testing/servers/wire-proxy.ts';
import { embeddedEnvironment, environmentText } from '../testing/test-environment.ts';

const withBody = (reply: Replied, body: unknown): Replied => ({ ...reply, body: JSON.stringify(body) });

/** Ways in which the responses of `love` may change, and what is reported; a new field breaks nothing. */
const changes: Readonly<Record<string, (reply: Replied, body: Record<string, unknown>) => Replied>> = {
  renamed: (reply, { loves, ...rest }) => withBody(reply, { ...rest, loveCount: loves }),
  status: (reply) => ({ ...reply, status: 202 }),
  new: (reply, body) => withBody(reply, { ...body, lovedAt: 'now' }),
};
const broken = [
  ['renamed', /\/loves is missing; renamed to loveCount\?/],
  ['status', /status 202, but 200 was observed/],
] as const;

/** The header `x-drift`, or the first path segment, selects how the responses of `love` change. */
const drifting: WireVariant = async (asked, forward) => {
  const [, segment = '', path = ''] = /^\/([a-z]+)(\/v1\/.*)$/.exec(asked.path) ?? [];
  const kind = asked.headers['x-drift'] ?? segment;
  const reply = await forward({ ...asked, path });
  const change = changes[kind];
  const isLove = path === '/v1/stories/love' && reply.status === 200;
  return isLove && change ? change(reply, JSON.parse(reply.body)) : reply;
};

const proxy = await startProxy(await ownService(), drifting);
after(() => proxy.stop());

const addressesOf = (kind: string) =>
  Object.fromEntries(areaIds.map((area) => [area, `${proxy.addresses[area]}/${kind}`])) as Record<AreaId, string>;

/** One scenario in the in-process runner, as `check` runs it. */
function check(kind: string, drift: 'fail' | 'warn' = 'fail'): Promise<ScenarioResult> {
  const at = { addresses: addressesOf(kind), provisionUrl: proxy.provisionUrl };
  return play('love, then unlove', { ...embeddedEnvironment(at), drift });
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
      drifting: environmentText(addressesOf('none'), { PROVISION_URL: proxy.provisionUrl, DRIFT: 'fail' }),
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
