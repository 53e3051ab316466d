import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { areaIds, areaTitle } from '../../spec/index.ts';
import { environmentSections } from './overview.ts';
import { dayBar, dayCode, worstDays } from './parts.ts';
import { type EnvironmentView, type ScenarioView, shownStates } from './view.ts';

const SCENARIOS = 22;
/** A bar that takes the most bytes: every day differs from the one before. */
const days = 'ud'.repeat(45);
const window = { ratio: 0.9, downMs: 1, observedMs: 10, withoutData: 0 };
const figures = { days, quarter: window, month: window, p95: 1_234, isRetried: true };

/** Environments of 22 scenarios, of which the first so many of each are down. */
function world(environments: number, down: number): EnvironmentView[] {
  let id = 0;
  return Array.from({ length: environments }, (_, index) => {
    const name = `environment-with-a-long-name-${index}`;
    const views = Array.from({ length: SCENARIOS }, (__, order): ScenarioView => {
      const title = `a scenario with a title of some length ${order}`;
      const area = areaIds[order % areaIds.length] ?? 'friends';
      const shown = order < down ? ('down' as const) : ('up' as const);
      const known = { id: ++id, environment: name, title, area } as ScenarioView['known'];
      return { known, shown, figures };
    });
    const byArea = Map.groupBy(views, ({ known }) => known.area);
    const areas = [...byArea].map(([id, scenarios]) => ({ id, title: areaTitle(id), scenarios }));
    return { name, areas, scenarios: views };
  });
}

const render = (all: readonly EnvironmentView[]) => environmentSections(all, { page: 1 }, (views) => views).text;
const count = (text: string, part: string) => text.split(part).length - 1;

test('however much is down in however many environments, the page stays small, and all of them are on it', () => {
  for (const environments of [1, 4, 12, 13, 60, 200, 1_000])
    for (const down of [0, 1, 2, 6, SCENARIOS]) {
      const text = render(world(environments, down));
      const name = `${environments} environments, ${down} scenarios of each down`;
      assert.ok(text.length < 200_000, `${name}: ${text.length} characters`);
      assert.equal(count(text, ' id="environment-'), Math.min(200, environments), name);
    }
});

test('of many environments, those in which something is bad come unfolded, without what is well in them', () => {
  const text = render([...world(12, 0), ...world(1, 1)]);
  assert.equal(count(text, '<details'), 1);
  assert.match(
    text,
    /<h2 id="environment-[^>]+>environment-with-a-long-name-0 <span class="counts">1 down, 21 up<\/span>/,
  );
  assert.match(text, /<a href="[^"]+environment=environment-with-a-long-name-0">Show 5 more areas<\/a>/);
  const few = render(world(2, 1));
  assert.deepEqual([count(few, '<details'), count(few, ' open><summary>')], [12, 2]);
});

test('an environment is marked with a tick only if it is up', () => {
  const css = readFileSync(`${import.meta.dirname}/assets/page.css`, 'utf8');
  const marked = [...css.matchAll(/^\.environments \.(\w+)::before/gm)].map(([, shown]) => shown);
  assert.deepEqual(marked.sort(), shownStates.filter((shown) => shown !== 'up').sort());
});

test('a day without runs is neither up nor down', () => {
  assert.equal(dayCode(1, 0), '-');
  assert.equal([undefined, 1, 0.9999, 0.99, 0.98].map((ratio) => dayCode(ratio, 5)).join(''), '-uppd');
});

test('equal days in a row are one stroke', () => {
  const { text } = dayBar('uuduu-');
  assert.match(text, /<path class="up" d="M0 5h2M3 5h2"\/><path class="down" d="M2 5h1"\/>/);
  assert.match(text, /aria-label="6 days: 4 up, 1 down, 1 without data"/);
  assert.ok(dayBar('u'.repeat(90)).text.length < 250);
});

test('of many scenarios, a day is as bad as its worst', () => {
  assert.equal(worstDays(['--uud', '-pud-', 'uuuuu']), 'upudd');
  assert.equal(worstDays([]), '');
});
