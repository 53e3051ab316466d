import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fakeEnvironment, fakeResult } from '../../testing/monitor/fakes.ts';
import { makeRecorder, recordRun } from '../../testing/monitor/open-recorder.ts';
import { ownFolder } from '../../testing/own-folder.ts';
import type { Monitor } from '../monitor.ts';
import { scenarioLine } from './components.ts';
import { figuresReader, ranges } from './figures.ts';
import { scenarioPage } from './scenario.ts';
import { statusDocument } from './status-json.ts';
import { environmentViews, findScenario, scenarioPath } from './view.ts';

const environment = fakeEnvironment('staging');
const recorder = makeRecorder(join(ownFolder(), 'h.sqlite'), [environment]);
after(() => recorder.close());
/** Finds the scenario to which a link leads. */
const viewAt = (path: string, now = 0) => {
  const params = /^\/scenario\/(?<environment>[^/]+)\/(?<name>.+)$/.exec(decodeURIComponent(path))?.groups ?? {};
  return findScenario(recorder, params, now) ?? assert.fail(path);
};

test('each scenario has a page of its own, in whatever script its title is', () => {
  const titles = ['愛', '友達', 'Über-Größe', 'block/unblock', '100 % блок?'];
  const scenarios = titles.map(
    (title) => ({ environment: 'staging', title, area: 'friends', effect: 'read' }) as const,
  );
  recorder.enterAll(scenarios, 0);
  assert.deepEqual(
    scenarios.map((scenario) => viewAt(scenarioPath(scenario)).known.title),
    titles,
  );
});

test('the last good run is the one before what is wrong now began, and no call is announced where none was made', async () => {
  recorder.enterAll([{ environment: 'staging', title: 'block', area: 'friends', effect: 'read' }], 0);
  const seen: string[] = [];
  for (const [minute, verdict] of (['passed', 'failed', 'passed', 'passed', 'unknown', 'unknown'] as const).entries()) {
    const now = minute * 60_000;
    recordRun(recorder, environment, { first: fakeResult(verdict, now) }, now);
    const view = viewAt('/scenario/staging/block', now);
    const figures = await figuresReader(recorder.db)(view.known);
    const monitor = { recorder, settings: { slo: 0.999 } } as unknown as Monitor;
    const { text } = scenarioPage(monitor, { view, figures, range: ranges[0], isPublic: false }, now + 1);
    const [, good] = /<dt>Last good run<\/dt><dd>(?:<time datetime="[^"]*">1970-01-01 )?([^<, ]*)/.exec(text) ?? [];
    const call = text.includes('Failing call') ? (/Failing call<\/h2><pre/.test(text) ? 'call' : 'no call') : '';
    seen.push(`${view.shown} ${good ?? ''} ${call}`.trim());
  }
  assert.deepEqual(seen, ['up', 'down 00:00:00 call', 'up', 'up', 'unknown 00:03:00', 'unknown 00:03:00']);
});

test('figures follow each run at once', async (t) => {
  const own = makeRecorder(join(ownFolder(), 'h.sqlite'), [environment]);
  t.after(() => own.close());
  own.enterAll([{ environment: 'staging', title: 'block', area: 'friends', effect: 'read' }], 0);
  const read = figuresReader(own.db);
  const start = Date.now() - 100_000;
  const seen: string[] = [];
  for (const [index, verdict] of (['passed', 'failed', 'passed'] as const).entries()) {
    const at = start + index * 30_000;
    recordRun(own, environment, { first: fakeResult(verdict, at) }, at);
    const view = findScenario(own, { environment: 'staging', name: 'block' }, at) ?? assert.fail();
    const { quarter, reason } = await read(view.known);
    seen.push(reason === undefined ? `was down for ${quarter.downMs} ms` : quarter.downMs > 0 ? 'is down' : '');
  }
  assert.deepEqual(seen, ['was down for 0 ms', 'is down', 'was down for 30000 ms']);
});

test("the first figures of a page don't wait for other work", async () => {
  recorder.enterAll([{ environment: 'staging', title: 'love', area: 'stories', effect: 'read' }], 0);
  const read = figuresReader(recorder.db);
  let isOthersTurn = false;
  setImmediate(() => {
    isOthersTurn = true;
  });
  await read(viewAt('/scenario/staging/love').known);
  assert.equal(isOthersTurn, false);
});

for (const [what, verdicts, intervalMs, afterS, expected] of [
  ['two intervals', ['passed'], 60_000, 120, 'up'],
  ['more than two', ['passed'], 60_000, 130, 'last seen up 130 s ago'],
  ['long ago', ['passed'], 60_000, 7_500, 'last seen up 2 h 5 min ago'],
  ['one that runs once an hour', ['passed'], 3_600_000, 7_000, 'up'],
  ['down', ['failed'], 60_000, 130, 'last seen down 130 s ago'],
  ['runs that could not be judged are runs', ['passed', 'unknown'], 60_000, 130, 'unknown'],
  ['never run', [], 60_000, 130, 'not run yet'],
  ['an interval shorter than a slow run', ['passed'], 1_000, 9, 'up'],
] as const)
  test(`the word for a state says when it was seen: ${what}`, async (t) => {
    const own = makeRecorder(join(ownFolder(), 'h.sqlite'), [environment]);
    t.after(() => own.close());
    own.enterAll([{ environment: 'staging', title: 'block', area: 'friends', effect: 'read', intervalMs }], 0);
    for (const verdict of verdicts) recordRun(own, environment, { first: fakeResult(verdict, 0) }, 0);
    const now = afterS * 1_000;
    const view = findScenario(own, { environment: 'staging', name: 'block' }, now) ?? assert.fail();
    const figures = await figuresReader(own.db)(view.known);
    const monitor = { recorder: own, settings: { slo: 0.999 } } as unknown as Monitor;
    const { text } = scenarioPage(monitor, { view, figures, range: ranges[0], isPublic: false }, now);
    assert.ok(text.includes(`<span>block: ${expected}</span>`), /<h1.*<\/h1>/.exec(text)?.[0]);
    const word = /<span class="state[^>]*>.*?<span>([^<]*)</.exec(scenarioLine(view, figures, false).text)?.[1] ?? '';
    assert.equal(word.toLowerCase(), expected);
    const document = statusDocument(environmentViews(own, [environment], now), { recorder: own, pageUrl: '/' }, now);
    assert.ok(!JSON.stringify(document).includes('seen'));
  });
