import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE, PlayedOutages } from '../../testing/monitor/played-outages.ts';
import type { Monitor } from '../monitor.ts';
import { maintain, ownPath } from './maintenance.ts';

const START = Date.parse('2026-11-20T10:00:00Z');
const environments = { 'prod-1': { host: 'h' }, 'prod-2': { host: 'h' }, qa: { host: 'i' } };
const block = (environment: string) => ({ environment, area: 'friends' as const, title: 'block' });

function desk(played: PlayedOutages) {
  const named = Object.keys(environments).map((name) => ({ name }));
  const monitor = { recorder: played.recorder, environments: named } as unknown as Monitor;
  return (what: 'start' | 'end', form: Record<string, string>, minute: number) => {
    const outcome = maintain(what, new URLSearchParams(form), monitor, START + minute * MINUTE);
    return 'problem' in outcome ? outcome.problem : outcome.done;
  };
}

test('maintenance on demand keeps notices back, survives a restart, and tells at its end what is true then', (t) => {
  const played = new PlayedOutages(environments);
  t.after(() => played.end());
  const monitored = Object.keys(environments).map(block);
  played.start(monitored, START);
  const at = (minute: number) => {
    played.minute(START + minute * MINUTE, ({ environment }) =>
      minute >= 5 && minute < 40 && environment !== 'qa' ? 'broken' : undefined,
    );
    return played.notices().map(({ notice }) => `${notice.kind}: ${notice.headline}`);
  };
  for (let minute = 0; minute < 3; minute++) assert.deepEqual(at(minute), []);
  assert.equal(
    desk(played)('start', { env: 'prod-*', for: '20m', why: 'release 41', person: 'CI' }, 3),
    'Maintenance of prod-1, prod-2 until 2026-11-20T10:23:00.000Z',
  );
  for (let minute = 4; minute < 10; minute++) assert.deepEqual(at(minute), []);
  played.start(monitored, START + 10 * MINUTE);
  for (let minute = 10; minute < 22; minute++) assert.deepEqual(at(minute), [], 'a restart knows of it');
  assert.equal(desk(played)('end', { env: 'prod-2', person: 'CI' }, 22), 'Ended maintenance of prod-2');
  assert.deepEqual(at(22), ['down: prod-2: Friends: block breaks “it works” (1 scenario)']);
  assert.deepEqual(at(24), ['down: prod-1: Friends: block breaks “it works” (1 scenario)']);
  assert.equal(played.recorder.calendar.of(['prod-1'], START)[0]?.why, 'release 41');
  const spans = played.recorder.db.all('SELECT environment, until - start AS ms FROM maintenance ORDER BY environment');
  const minutes = spans.map(({ environment, ms }) => `${environment}: ${Number(ms) / MINUTE}`);
  assert.deepEqual(minutes, ['prod-1: 20', 'prod-2: 19']);
});

test('what is asked, and what is wrong with it', (t) => {
  const played = new PlayedOutages(environments);
  t.after(() => played.end());
  played.start(Object.keys(environments).map(block), START);
  const ask = desk(played);
  const rows: ['start' | 'end', Record<string, string>, string][] = [
    ['end', {}, 'env is missing: the name of an environment, or a pattern, e.g. prod-*'],
    ['start', { env: 'dev' }, 'no environment is called "dev"; monitored: prod-1, prod-2, qa'],
    ['start', { env: 'qa', for: 'soon' }, 'for: "soon" is not a duration from 1m to 30d; expected e.g. 60s, 5m or 1h'],
    ['end', { env: 'qa' }, 'none of qa has maintenance that was started on demand'],
    ['start', { env: 'qa,prod-*' }, 'Maintenance of prod-1, prod-2, qa until 2026-11-20T11:00:00.000Z'],
  ];
  for (const [what, form, expected] of rows) assert.equal(ask(what, form, 0), expected);
});

test('a form leads back to a path of the page, and never to another site', () => {
  const rows = [
    ['/incidents/7', '/incidents/7'],
    ['/?environment=qa&area=friends', '/?environment=qa&area=friends'],
    ['//evil.example/', '/'],
    ['/\\evil.example/', '/'],
    ['https://evil.example/', '/'],
    ['/a\r\nset-cookie: x', '/'],
    ['', '/'],
  ] as const;
  for (const [given, expected] of rows) assert.equal(ownPath(given), expected, given);
});
