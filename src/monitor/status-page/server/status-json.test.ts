import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bookOf, fakeFlip } from '../../../testing/monitor/flips.ts';
import type { Monitor } from '../../monitor.ts';
import { type EnvironmentView, type ScenarioView, type Shown, tallyOf } from '../view.ts';
import { statusJson } from './status-json.ts';

function environment(index: number, shown: Shown): EnvironmentView {
  const scenarios = [{ shown }, { shown: 'up' }] as ScenarioView[];
  const tally = tallyOf(scenarios);
  return { name: `e${index}`, areas: [{ id: 'friends', title: 'Friends', scenarios, tally }], tally };
}

test('environments are groups of areas; of a large incident, the latest updates are listed', () => {
  const hits = Array.from({ length: 4_400 }, (_, index) =>
    fakeFlip({ id: index + 1, scenario: { environment: 'e1', title: `scenario ${index}` }, since: index }),
  );
  const environments = [environment(0, 'up'), environment(1, 'down')];
  const recorder = { incidents: { all: bookOf(hits) }, calendar: { planned: () => [] } };
  const monitor = { recorder, pageUrl: 'http://page.test/' } as unknown as Monitor;
  const { components, status, incidents } = JSON.parse(statusJson(environments, monitor, 0));
  assert.deepEqual(
    components.map((one: { id: string; status: string }) => `${one.id} ${one.status}`),
    ['e0 operational', 'e0-friends operational', 'e1 major_outage', 'e1-friends partial_outage'],
  );
  assert.equal(status.indicator, 'major');
  const [found] = incidents;
  assert.match(found.name, /4400 scenarios down/);
  assert.deepEqual([found.incident_updates.length, found.incident_updates.at(-1).id], [50, '4400']);
});
