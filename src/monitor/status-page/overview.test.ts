import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { areaIds } from '../../service/index.ts';
import { fakeEnvironment, fakeResult } from '../../testing/monitor/fakes.ts';
import { makeRecorder } from '../../testing/monitor/open-recorder.ts';
import { ownFolder } from '../../testing/own-folder.ts';
import { seeded } from '../../testing/random-numbers.ts';
import type { Verdict } from '../../verdict/index.ts';
import type { Monitor } from '../monitor.ts';
import { layout } from './components.ts';
import { addressOf, type Filter, filterOf, overviewPage } from './overview.ts';
import { shownStates } from './view.ts';

const SCENARIOS = 22;
/** Random figures: each scenario was down on different days, so the page can hardly be compressed. */
const random = seeded(7);
const read = async () => {
  const days = Array.from({ length: 90 }, () => (random() < 0.04 ? 'd' : 'u')).join('');
  const window = { ratio: 0.9 + random() / 10, downMs: 1, observedMs: 10, withoutData: 0 };
  return { days, quarter: window, month: window, p95: random() * 2_000, isRetried: random() < 0.1 };
};

/** The overview of `count` environments with 22 scenarios each. In each environment, the first `failing` scenarios ended with `verdict`. */
function world(t: TestContext, count: number, verdict: Verdict = 'passed', failing = 0) {
  const environments = Array.from({ length: count }, (_, index) =>
    fakeEnvironment(`environment-with-a-long-name-${index}`),
  );
  const recorder = makeRecorder(join(ownFolder(), 'h.sqlite'), environments);
  t.after(() => recorder.close());
  const titles = Array.from({ length: SCENARIOS }, (_, order) => ({
    title: `a scenario with a title of some length ${order}`,
    area: areaIds[order % areaIds.length] ?? 'friends',
    effect: 'read' as const,
  }));
  recorder.enterAll(
    environments.flatMap(({ name }) => titles.map((one) => ({ ...one, environment: name }))),
    0,
  );
  recorder.db.run('PRAGMA synchronous = OFF');
  for (const environment of environments)
    for (const [order, one] of titles.entries()) {
      const first = fakeResult(order < failing ? verdict : 'passed', 0, one);
      recorder.record({ environment, observed: { first }, planned: 0, intervalMs: 60_000 }, 1);
    }
  const monitor = { recorder, environments, health: () => ({ problems: [] }) } as unknown as Monitor;
  return async (filter: Filter = {}) => layout(await overviewPage(monitor, filter, read, false)).join('');
}

const count = (text: string, part: string) => text.split(part).length - 1;

for (const [name, verdict, failing] of [
  ['all up', 'passed', 0],
  ['one of each down', 'failed', 1],
  ['all down', 'failed', SCENARIOS],
] as const)
  test(`of 100 environments the first page is at most 10 kB compressed, with all of them on it: ${name}`, async (t) => {
    const text = await world(t, 100, verdict, failing)();
    const bytes = (await promisify(gzip)(text)).length;
    assert.ok(bytes <= 10_000, `${bytes} bytes of ${text.length}`);
    assert.equal(new Set(text.match(/environment=environment-with-a-long-name-\d+/g)).size, 100);
  });

test('of many scenarios, those that need a look are on the first page, unfolded; the others are found by environment', async (t) => {
  const page = world(t, 13, 'failed', 1);
  const text = await page();
  assert.deepEqual([count(text, ' class="line down"'), count(text, ' class="line up"')], [13, 0]);
  assert.equal(count(text, '<details class="area"'), 13);
  assert.equal(count(text, ' open><summary>'), 13);
  assert.match(text, /long-name-0<\/a><span class="counts">1 down, 21 up</);
  const one = await page({ environment: 'environment-with-a-long-name-0' });
  assert.match(one, /22 scenarios found/);
  assert.equal(count(one, ' class="line '), 22);
});

test('of few scenarios all are on the first page, with their bars', async (t) => {
  const text = await world(t, 2, 'failed', 1)();
  assert.deepEqual([count(text, ' class="line '), count(text, '<details class="area"')], [44, 12]);
  assert.equal(count(text, ' open><summary>'), 12);
  assert.ok(text.indexOf('class="line down"') < text.indexOf('class="line up"'));
});

test('a page has at most 100 lines and says how many more there are', async (t) => {
  const text = await world(t, 13, 'failed', 10)({ text: 'down' });
  assert.deepEqual([count(text, ' class="line '), count(text, 'and 30 more scenarios')], [100, 1]);
});

const filters: [query: string, found: number][] = [
  ['', 44],
  ['environment=environment-with-a-long-name-1', 22],
  ['text=friends', 8],
  ['text=nowhere', 0],
  ['text=Down', 2],
  ['text=up+LENGTH+1', 22],
  ['text=ength', 0],
  ['text=length+21&environment=', 2],
];
test('the address says what is shown', async (t) => {
  const page = world(t, 2, 'failed', 1);
  for (const [query, found] of filters) {
    const filter = filterOf(new URLSearchParams(query));
    const text = await page(filter);
    assert.equal(count(text, ' class="line '), found, query);
    assert.deepEqual(filterOf(new URL(addressOf(filter), 'http://h').searchParams), filter);
  }
});

test('an environment is marked with a tick only if it is up', () => {
  const css = readFileSync(`${import.meta.dirname}/assets/page.css`, 'utf8');
  const marked = [...css.matchAll(/^\.environments \.(\w+)::before/gm)].map(([, shown]) => shown);
  assert.deepEqual(marked.sort(), shownStates.filter((shown) => shown !== 'up').sort());
});
