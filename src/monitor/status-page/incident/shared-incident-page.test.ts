import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bookOf, fakeFlip } from '../../../testing/monitor/flips.ts';
import { shared } from '../../../testing/monitor/outage-notices.ts';
import { composeNotice } from '../../alerting/compose-notice.ts';
import type { Flip } from '../../status/flip.ts';
import type { Incident } from '../../status/incident.ts';
import { IncidentBook } from '../../status/incident-book.ts';
import { incidentPage } from './incident-page.ts';
import { incidentsPage } from './incidents-page.ts';
import { openProblems, problemCard } from './open-problems.ts';

/** An incident of so many environments with 22 scenarios each; those of the first have recovered. */
function sharedBy(environments: number): Incident {
  const book = new IncidentBook();
  const flips = Array.from({ length: environments * 22 }, (_, index) =>
    fakeFlip({
      id: index + 1,
      scenario: { environment: `qa-${Math.floor(index / 22) + 1}`, title: `scenario ${index % 22}` },
      since: 1_000,
      verdict: 'unreachable',
      reason: 'connection refused',
      cause: shared('connect', 'ECONNREFUSED', 6, 'qa.your.org'),
      incident: 1,
    }),
  );
  for (const flip of flips) book.add(flip);
  for (const flip of flips.slice(0, 22)) book.add({ ...flip, id: flip.id + 10_000, at: 2_000, from: 'down', to: 'up' });
  return book.get(1) as Incident;
}

function pageOf(incident: Incident, isPublic = false): string {
  const story = { incident, notices: [], events: [], evidence: [], announced: [] };
  return incidentPage({ story, handling: {}, now: 5_000, isPublic, isWritable: false }).text;
}

test('an incident of three environments: each with its scenarios, and what has recovered', () => {
  const text = pageOf(sharedBy(3));
  for (const part of [
    /Nothing answers at qa\.your\.org \(refused\)/,
    /<p>qa-1, qa-2 and qa-3: /,
    /<details class="part" open><summary>qa-1 <span class="counts">22 scenarios, recovered<\/span>/,
    /<details class="part" open><summary>qa-3 <span class="counts">22 scenarios down<\/span>/,
    /<a href="\/scenario\/qa-3\/scenario-21">scenario 21<\/a> since /,
    /qa-2: &quot;scenario 0&quot; went down/,
    /qa-1: &quot;scenario 0&quot; recovered/,
  ])
    assert.match(text, part);
  assert.doesNotMatch(pageOf(sharedBy(3), true), /refused|your\.org/);
});

test('an incident of 200 environments stays small everywhere', () => {
  const incident = sharedBy(200);
  const text = pageOf(incident);
  assert.ok(text.length < 150_000, `${text.length} bytes`);
  assert.match(text, /qa-1, qa-2 and 198 more environments/);
  assert.match(text, /<a href="\/\?environment=qa-200">qa-200<\/a> <span class="counts">22 scenarios down/);
  assert.match(text, /4350 more scenarios went down by then/);

  const list = incidentsPage({ incidents: [incident], maintenance: [], now: 5_000, isPublic: false }).text;
  assert.match(list, /qa-1, qa-2 and 198 more environments: Nothing answers at qa\.your\.org \(refused\)/);
  assert.ok(list.length < 10_000, `${list.length} bytes`);

  const card = problemCard(incident, false).text;
  assert.match(card, /qa-1, qa-2 and 198 more environments: Nothing answers at qa\.your\.org \(refused\)/);
  assert.match(card, /4378 scenarios: <a href="\/scenario\/qa-2\/scenario-0">qa-2: scenario 0<\/a>/);

  const notice = composeNotice(
    incident,
    { kind: 'more', open: incident.open, news: 0, back: [], gone: [] },
    { instance: 'i', pageUrl: 'https://page.your.org/', now: 5_000 },
  );
  assert.deepEqual([notice.scenarios.length, notice.furtherScenarios], [50, 4_328]);
  assert.ok(
    notice.scenarios.every(({ isOpen }) => isOpen),
    'those that are down come first',
  );
});

const flip = (title: string, more: Partial<Flip> = {}) =>
  fakeFlip({
    scenario: { environment: 'staging', title },
    reason: 'documented: it works — 500 Internal Server Error',
    call: { operation: 'block', origin: 'https://a.example', status: 500 },
    curl: "curl 'https://a.example/'",
    cause: { kind: 'address', address: 'https://a.example/' },
    ...more,
  });

const incident = (hits: readonly Flip[]) => bookOf(hits)[0] ?? assert.fail();

test('a card has the reason and the call, unless that is too long; readers of states get neither', () => {
  const { curl } = flip('block');
  const cardOf = (more: Partial<Flip> = {}, isPublic = false) =>
    openProblems([incident([flip('block', more)])], isPublic).text;
  for (const part of [
    'staging: Friends: block answers 500',
    'documented: it works — 500',
    'curl &#39;https://a.example',
  ])
    assert.ok(cardOf().includes(part), part);
  assert.doesNotMatch(cardOf({ curl: `${curl}${'x'.repeat(2_000)}` }), /Repeat the call/);
  assert.doesNotMatch(cardOf({}, true), /500|curl|a\.example/);
  assert.match(openProblems(Array(9).fill(incident([flip('block')])), true).text, /1 more open incident</);
});
