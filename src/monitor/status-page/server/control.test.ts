import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE, PlayedOutages } from '../../../testing/monitor/played-outages.ts';
import { type Control, doControl, ownPath } from './control.ts';

const START = Date.parse('2026-11-20T10:00:00Z');
const environments = { 'prod-1': { host: 'h' }, 'prod-2': { host: 'h' }, qa: { host: 'i' } };
const block = (environment: string) => ({ environment, area: 'friends' as const, title: 'block' });

function desk(played: PlayedOutages) {
  const runNow = () => 7;
  const tools = {
    recorder: played.recorder,
    environments: Object.keys(environments).map((name) => ({ name })),
    runNow,
  };
  return (what: Control, form: Record<string, string>, minute: number) => {
    const outcome = doControl(what, new URLSearchParams(form), tools, START + minute * MINUTE);
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
    desk(played)('maintenance/start', { env: 'prod-*', for: '20m', why: 'release 41', person: 'CI' }, 3),
    'Maintenance of prod-1, prod-2 until 2026-11-20T10:23:00.000Z',
  );
  for (let minute = 4; minute < 10; minute++) assert.deepEqual(at(minute), []);
  played.start(monitored, START + 10 * MINUTE);
  for (let minute = 10; minute < 22; minute++) assert.deepEqual(at(minute), [], 'a restart knows of it');
  assert.equal(desk(played)('maintenance/end', { env: 'prod-2', person: 'CI' }, 22), 'Ended maintenance of prod-2');
  assert.deepEqual(at(22), ['down: prod-2: Friends: block breaks “it works” (1 scenario)']);
  assert.deepEqual(at(24), ['down: prod-1: Friends: block breaks “it works” (1 scenario)']);
  assert.equal(played.recorder.calendar.of(['prod-1'], START)[0]?.why, 'release 41');
  const spans = played.recorder.db.all('SELECT environment, until - start AS ms FROM maintenance ORDER BY environment');
  assert.deepEqual(
    spans.map(({ environment, ms }) => [environment, Number(ms) / MINUTE]),
    [
      ['prod-1', 20],
      ['prod-2', 19],
    ],
  );
});

test('what is asked, and what is wrong with it', (t) => {
  const played = new PlayedOutages(environments);
  t.after(() => played.end());
  played.start(Object.keys(environments).map(block), START);
  const ask = desk(played);
  const rows: [Control, Record<string, string>, string][] = [
    ['run', {}, 'env is missing: the name of an environment, or a pattern, e.g. prod-*'],
    ['run', { env: 'dev' }, 'no environment is called "dev"; monitored: prod-1, prod-2, qa'],
    [
      'run',
      { env: 'qa', area: 'friend' },
      '"friend" is not an area; expected friends, stories, gameDesign, profile, features, storage',
    ],
    ['run', { env: 'qa,prod-*' }, '7 scenarios of prod-1, prod-2, qa run now'],
    [
      'maintenance/start',
      { env: 'qa', for: 'soon' },
      'for: "soon" is not a duration from 1m to 30d; expected e.g. 60s, 5m or 1h',
    ],
    [
      'maintenance/start',
      { env: 'qa', area: 'friends' },
      'maintenance is of whole environments: leave area out, or pause it',
    ],
    ['resume', { env: 'qa' }, 'none of qa is paused'],
    ['pause', { env: 'qa', area: 'friends', for: '1h' }, 'Paused qa (friends) until 2026-11-20T11:00:00.000Z'],
    ['resume', { env: 'qa' }, 'Resumed qa'],
  ];
  for (const [what, form, expected] of rows) assert.equal(ask(what, form, 0), expected);
  ask('pause', { env: 'qa', area: 'friends' }, 0);
  const { calendar } = played.recorder;
  assert.deepEqual(
    [
      calendar.isPaused('qa', 'friends', START),
      calendar.isPaused('qa', 'stories', START),
      calendar.isQuiet('qa', START),
    ],
    [true, false, false],
  );
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
