import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeFlip } from '../../../testing/monitor/flips.ts';
import type { Flip } from '../../status/flip.ts';
import type { Incident } from '../../status/incident.ts';
import { type EnvironmentView, type ScenarioView, type Shown, tallyOf } from '../view.ts';
import { type StatusInput, statusJson } from './status-json.ts';

function environment(index: number, shown: Shown): EnvironmentView {
  const scenarios = [{ shown }, { shown: 'up' }] as ScenarioView[];
  const group = { shown, isBad: shown !== 'up', counts: '' };
  const areas = [{ id: 'friends' as const, title: 'Friends', scenarios, ...group }];
  return { name: `e${index}`, areas, tally: tallyOf(scenarios), ...group };
}

const hit = (index: number) =>
  fakeFlip({ id: index, scenario: { environment: 'e1', title: `scenario ${index}` }, since: index });

function incidentOf(hits: readonly Flip[]): Incident {
  const open = hits.map(({ scenario }) => scenario);
  return { id: 7, environment: 'e1', cause: hit(1).cause, since: 1, hits, leaves: [], open };
}

const whole = (environments: readonly EnvironmentView[], more: Partial<StatusInput> = {}) =>
  statusJson({ environments, incidents: [], maintenance: [], pageUrl: 'http://page.test/', now: 0, ...more });
const parsed = (...asked: Parameters<typeof whole>) => JSON.parse(whole(...asked).join(''));

test('a piece for some environments each is the JSON of the whole, whatever was written before', () => {
  for (const count of [0, 1, 9, 10, 11, 35]) {
    const all = Array.from({ length: count }, (_, index) => environment(index, index === 3 ? 'down' : 'up'));
    const { components, status } = parsed(all);
    const names = all.flatMap(({ name }) => [name, `${name}-friends`]);
    assert.deepEqual(
      components.map(({ id }: { id: string }) => id),
      names,
    );
    assert.equal(components[7]?.status, count > 3 ? 'partial_outage' : undefined);
    assert.deepEqual(parsed(all), parsed(structuredClone(all)), 'again');
    const turned = all.toReversed();
    assert.deepEqual(parsed(turned), parsed(structuredClone(turned)), 'in another order');
    assert.equal(status.indicator, count > 3 ? 'major' : 'none');
  }
});

test('no piece is long, however many environments and scenarios an incident has', () => {
  const all = Array.from({ length: 200 }, (_, index) => environment(index, 'down'));
  const incident = incidentOf(Array.from({ length: 4_400 }, (_, index) => hit(index + 1)));
  for (const piece of whole(all, { incidents: [incident] })) assert.ok(piece.length < 20_000, `${piece.length}`);
  const [found] = parsed(all, { incidents: [incident] }).incidents;
  assert.match(found.name, /4400 scenarios down/);
  assert.deepEqual([found.incident_updates.length, found.incident_updates.at(-1).id], [50, '4400']);
});
