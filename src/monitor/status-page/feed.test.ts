import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeFlip } from '../../testing/monitor/flips.ts';
import type { Monitor } from '../monitor.ts';
import { IncidentBook } from '../status/incident.ts';
import { atomFeed } from './feed.ts';

const at = (time: string) => `2026-11-27T${time}.000Z`;
const START = Date.parse(at('10:00:00'));
const sentence = 'Friends: block answers 500';
const cause = { kind: 'operation', address: 'https://a.example/', name: 'block' } as const;
const flip = (id: number, title: string, more: Partial<Parameters<typeof fakeFlip>[0]> = {}) =>
  fakeFlip({
    ...{ id, scenario: { environment: 'staging', title }, incident: 1, cause, sentence },
    ...{ reason: 'documented: it works <b> & more', since: START, at: START, steady: START },
    ...more,
  });

function feedOf(incidents: IncidentBook, isPublic: boolean, now: number): string {
  const monitor = { recorder: { incidents, db: { instance: '6f1c' } }, pageUrl: 'https://status.your.org/sextant/' };
  return atomFeed(monitor as unknown as Monitor, isPublic, now);
}

/** A feed of one resolved and one open incident. */
function feed(isPublic: boolean): string {
  const book = new IncidentBook();
  book.add(flip(1, 'block'));
  const end = { from: 'down', to: 'up', since: START + 60_000, steady: START + 60_000, at: START + 90_000 } as const;
  book.add(flip(2, 'block', end));
  const later = START + 600_000;
  book.add(flip(3, 'love', { incident: 3, since: later, at: later + 5_000, steady: later }));
  return feedOf(book, isPublic, later + 10_000);
}

const entries = (text: string) => text.split('<entry>').slice(1);
const field = (text: string, name: string) => new RegExp(`<${name}[^>]*>([^<]*)</${name}>`).exec(text)?.[1];

test('the feed has an entry for each incident, the latest first, with an id that stays and addresses below the path of the page', () => {
  const text = feed(false);
  assert.match(text, /^<\?xml version="1\.0" encoding="utf-8"\?>\n<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom">/);
  assert.match(
    text,
    /<link rel="self" type="application\/atom\+xml" href="https:\/\/status\.your\.org\/sextant\/feed\.atom"\/>/,
  );
  assert.deepEqual([field(text, 'id'), field(text, 'updated')], ['urn:uuid:6f1c', at('10:10:05')]);
  const [open = '', over = '', ...more] = entries(text);
  assert.equal(more.length, 0);
  const shown = [open, over].map((entry) => ['id', 'title', 'published', 'updated'].map((name) => field(entry, name)));
  assert.deepEqual(shown, [
    ['urn:sextant:6f1c:3', 'staging: Friends: block answers 500 (open)', at('10:10:00'), at('10:10:05')],
    ['urn:sextant:6f1c:1', 'staging: Friends: block failed (resolved after 1 min)', at('10:00:00'), at('10:01:30')],
  ]);
  assert.equal(field(open, 'content'), 'staging: love went down: documented: it works &lt;b&gt; &amp; more\n');
  assert.match(
    open,
    /<link rel="alternate" type="text\/html" href="https:\/\/status\.your\.org\/sextant\/incidents\/3"\/>/,
  );
});

test('a public feed has states without reasons, and one without incidents is a feed, too', () => {
  const text = feed(true);
  assert.doesNotMatch(text, /500|it works|a\.example/);
  assert.equal(field(entries(text)[0] ?? '', 'content'), 'staging: love went down\n');
  const empty = feedOf(new IncidentBook(), true, START);
  assert.equal(field(empty, 'updated'), at('10:00:00'));
});
