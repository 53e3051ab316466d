import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { CANARY } from '../../testing/monitor/fakes.ts';
import { fakeFlip } from '../../testing/monitor/flips.ts';
import { pageToken } from '../../testing/monitor/page-readers.ts';
import { startRecorded } from '../../testing/monitor/watched-service.ts';
import { ownFolder } from '../../testing/own-folder.ts';
import { fetchOnce } from '../../testing/servers/listening.ts';
import { composeNotice } from '../alerting/notice.ts';
import { HistoryDatabase } from '../history/database.ts';
import type { Monitor } from '../monitor.ts';
import type { Flip } from '../status/flip.ts';
import { type Incident, IncidentBook } from '../status/incident.ts';
import { incidentCard } from './components.ts';
import { eventOf, incidentPage } from './incident.ts';

async function started(t: TestContext) {
  const channels = new Map([['webhook', () => Promise.reject(new Error('busy'))]]);
  const { running, recorder, run } = await startRecorded(t, { channels, token: pageToken });
  const headers = { authorization: `Bearer ${pageToken}` };
  const text = async (path: string) => {
    const response = await fetchOnce(new URL(path, running.url), { headers });
    return `${response.status} ${await response.text()}`;
  };
  const post = async (fields: Record<string, string>) => {
    const body = new URLSearchParams(fields);
    const url = new URL('incidents/1', running.url);
    return (await fetchOnce(url, { method: 'POST', headers, body, redirect: 'manual' })).status;
  };
  return { recorder, run, text, post };
}

test('an incident has a page: title, evidence, timeline, and what people did about it', async (t) => {
  const { recorder, run, text, post } = await started(t);
  run('passed');
  run('failed');
  const before = await text('incidents/1');
  for (const part of [
    /^200 /,
    /<span class="title">Friends: block answers 500<\/span>/,
    /Not acknowledged\./,
    /POST http:\/\/e\.test\/friends\/v1\/friends\/block/,
    /block<\/a> went down <time/,
    /<h2>Why<\/h2><p><b>failed<\/b>: documented: it works.*Not acknowledged\..*<h2>Scenarios<\/h2>/s,
    /notice &quot;down&quot; to webhook \(waiting\)/,
  ])
    assert.match(before, part);
  assert.doesNotMatch(before, new RegExp(CANARY));

  assert.equal(await post({ person: 'Ada', kind: 'note', text: `looking <b> ${CANARY}` }), 303);
  assert.equal(await post({ person: 'Ada', kind: 'acknowledged' }), 303);
  assert.equal(recorder.incidents.get(1)?.acknowledged?.person, 'Ada');
  const after = await text('incidents/1');
  for (const part of ['Ada: looking &lt;b&gt; ***', 'Acknowledged by Ada', 'Ada acknowledged it'])
    assert.ok(after.includes(part), part);
  assert.match(await text(''), /Acknowledged by Ada, /);
  run('passed');
  assert.match(
    await text('incidents/1'),
    /Resolved.*Friends: block answered 500.*block<\/a> went down <time.*, has recovered<.*the last recovery/s,
  );
  assert.equal(await post({ person: 'Ada', kind: 'acknowledged' }), 400);
  assert.equal(await post({ person: 'Ada', kind: 'note', text: 'it was the gateway' }), 303);
  assert.match(await text('incidents/99'), /^404 /);
});

const forms: [fields: Record<string, string>, isOpen: boolean, expected: string | object][] = [
  [{ person: ' ', kind: 'note', text: 'x' }, true, 'Enter your name, of at most 80 characters.'],
  [{ person: 'a'.repeat(81), kind: 'note', text: 'x' }, true, 'Enter your name, of at most 80 characters.'],
  [{ person: 'Ada', kind: 'note', text: ' ' }, true, 'Enter a note of at most 1000 characters.'],
  [{ person: 'Ada', kind: 'acknowledged', text: 'x'.repeat(1001) }, true, 'Enter a note of at most 1000 characters.'],
  [{ person: 'Ada', kind: 'deleted' }, true, 'Choose what to do.'],
  [{ person: 'Ada', kind: 'acknowledged' }, false, 'This incident is resolved: only notes can be added.'],
  [{ person: ' Ada ', kind: 'note', text: 'x' }, false, { at: 7, person: 'Ada', text: 'x', kind: 'note' }],
  [{ person: 'Ada', kind: 'reopened', text: 'b' }, true, { at: 7, person: 'Ada', text: 'b', kind: 'reopened' }],
];

test('what a form says, or what is wrong with it', () => {
  for (const [fields, isOpen, expected] of forms)
    assert.deepEqual(eventOf(new URLSearchParams(fields), isOpen, 7), expected);
});

function incidentOf(flips: readonly Flip[]): Incident {
  const book = new IncidentBook();
  for (const flip of flips) book.add(flip);
  return book.get(flips[0]?.incident ?? 0) ?? assert.fail();
}

const address = 'http://qa.your.org/';
const refused = { phase: 'connect', code: 'ECONNREFUSED', areas: ['friends'], addresses: [address] } as const;
const families = {
  down: { to: 'down', verdict: 'unreachable', cause: { kind: 'host', address, ...refused } },
  unjudged: { to: 'unjudged', verdict: 'skipped', cause: { kind: 'unjudged', address } },
} as const satisfies Record<string, Partial<Flip>>;

/** An incident in `environments` environments, with 22 scenarios in each. The scenarios of the first environment have left it. */
function sharedBy(environments: number, family: keyof typeof families = 'down'): Incident {
  const began = Array.from({ length: environments * 22 }, (_, index) => {
    const scenario = { environment: `qa-${Math.floor(index / 22) + 1}`, title: `scenario ${index % 22}` };
    return fakeFlip({ ...families[family], id: index + 1, scenario, since: 1_000, incident: 1 });
  });
  const ended = began.slice(0, 22).map((flip): Flip => {
    const to = flip.id === 22 ? 'pending' : 'up';
    return { ...flip, id: flip.id + 10_000, at: 2_000, steady: 2_000, from: flip.to, to };
  });
  return incidentOf([...began, ...ended]);
}

const db = new HistoryDatabase(join(ownFolder(), 'h.sqlite'));
after(() => db.close());

function pageOf(incident: Incident, isPublic = false): string {
  const calendar = { of: () => [] };
  const recorder = {
    db,
    calendar,
    scenarios: { find: () => undefined },
    incidents: { allOpen: [] },
    steady: () => 4_000,
  };
  return incidentPage({ recorder, settings: {} } as unknown as Monitor, incident, isPublic).body.text;
}

test('an incident of three environments: each with its scenarios, and what has recovered; without a token nobody can write', () => {
  const text = pageOf(sharedBy(3));
  for (const part of [
    /Set TOKEN in the monitor.s settings to acknowledge it/,
    />qa\.your\.org can&#39;t be reached: connection refused/,
    /<p>qa-1, qa-2 and qa-3: /,
    /<h3>qa-2<\/h3>.*<h3>qa-3<\/h3>.*<h3>qa-1<\/h3>/s,
    /<a href="\/scenario\/qa-3\/scenario-21">scenario 21<\/a> went down /,
    /scenario 20<\/a> went down .*, has recovered</,
    /scenario 21<\/a> went down .*, is no longer monitored</,
  ])
    assert.match(text, part);
  assert.doesNotMatch(pageOf(sharedBy(3), true), /refused|your\.org/);
});

test('a long reason is cut where it comes first, and whole next to its call', () => {
  const reason = `documented: it works — ${'x'.repeat(300)}`;
  const [began] = sharedBy(1).hits;
  const text = pageOf(incidentOf([{ ...(began as Flip), reason }]));
  assert.match(text, /<h2>Why<\/h2>.*it works — x{100,200}….*<h2>Failing calls<\/h2>.*it works — x{300}</s);
});

test('what can no longer be judged is not called down', () => {
  const text = pageOf(sharedBy(3, 'unjudged'));
  for (const part of [/<h1 class="banner unjudged">/, /scenario 21<\/a> can&#39;t be judged </])
    assert.match(text, part);
  assert.doesNotMatch(text, /\bdown\b/);
});

test('an incident of 200 environments stays small everywhere', () => {
  const incident = sharedBy(200);
  const text = pageOf(incident);
  assert.ok(text.length < 150_000, `${text.length} bytes`);
  assert.match(text, /qa-1, qa-2 and 198 more environments/);
  assert.match(text, /and 4300 more scenarios</);

  const card = incidentCard(incident, false).text;
  assert.match(card, /qa-2, qa-3 and 197 more environments: qa\.your\.org can&#39;t be reached: connection refused/);
  assert.match(card, /4378 scenarios: <a href="\/scenario\/qa-2\/scenario-0">qa-2: scenario 0<\/a>/);

  const due = { kind: 'down', open: incident.open, news: incident.open.length, ended: [] } as const;
  const notified = { instance: 'i', pageUrl: 'https://page.your.org/', now: 5_000, steady: 5_000, allOpen: [] };
  const notice = composeNotice(incident, due, notified);
  assert.deepEqual([notice.scenarios.length, notice.furtherScenarios], [50, 4_328]);
  assert.ok(!notice.scenarios.some(({ isOpen }) => !isOpen), 'those that are down come first');
});

test('a card has the reason and the call, unless that is too long; readers of states get neither', () => {
  const scenario = { environment: 'staging', title: 'block' };
  const curl = "curl 'https://a.example/'";
  const shown = { sentence: 'Friends: block answers 500', reason: 'documented: it works — 500 Internal Server Error' };
  const cardOf = (given = curl, isPublic = false) =>
    incidentCard(incidentOf([fakeFlip({ id: 1, incident: 1, scenario, ...shown, curl: given })]), isPublic).text;
  assert.match(
    cardOf(),
    /staging: Friends: block answers 500.*documented: it works — 500.*curl &#39;https:\/\/a\.example/s,
  );
  assert.doesNotMatch(cardOf(`${curl}${'x'.repeat(2_000)}`), /Repeat the call/);
  assert.doesNotMatch(cardOf(curl, true), /500|curl|a\.example/);
});
