import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fakeEnvironment } from '../../testing/monitor/fakes.ts';
import { makeRecorder } from '../../testing/monitor/open-recorder.ts';
import { ownFolder } from '../../testing/own-folder.ts';
import type { Monitor } from '../monitor.ts';
import { maintain, ownPath } from './maintenance.ts';

const START = Date.parse('2026-11-20T10:00:00Z');
const MINUTE = 60_000;
const environments = ['prod-1', 'prod-2', 'qa'].map((name) => fakeEnvironment(name));
const file = join(ownFolder(), 'h.sqlite');
const open = () => makeRecorder(file, environments);
let recorder = open();
after(() => recorder.close());

const deploy = { env: 'prod-*,qa', for: '20m', why: 'release 41', person: 'CI' };
const rows: [minute: number, what: 'start' | 'end', form: Record<string, string>, said: string, quiet?: string][] = [
  [0, 'end', {}, 'env is missing: the name of an environment, or a pattern, e.g. prod-*'],
  [0, 'start', { env: 'dev' }, 'no environment is called "dev"; monitored: prod-1, prod-2, qa'],
  [0, 'start', { env: 'qa', for: 'soon' }, 'for: "soon" is not a duration from 1m to 30d; expected e.g. 60s, 5m or 1h'],
  [0, 'end', { env: 'qa' }, 'none of qa has maintenance that was started on demand'],
  [1, 'start', { env: 'qa' }, 'somebody began maintenance of qa, until 2026-11-20T11:01:00.000Z', 'qa'],
  [2, 'end', { env: 'qa' }, 'somebody ended maintenance of qa'],
  [
    3,
    'start',
    deploy,
    'CI began maintenance of prod-1, prod-2, qa, until 2026-11-20T10:23:00.000Z',
    'prod-1,prod-2,qa',
  ],
  [22, 'end', { env: 'prod-2', person: 'CI' }, 'CI ended maintenance of prod-2', 'prod-1,qa'],
];

test('what is asked, what is wrong with it, and what is kept quiet then, also after a restart', () => {
  const quietAt = (minute: number) => [...recorder.calendar.at(START + minute * MINUTE).keys()].join();
  for (const [minute, what, form, said, quiet = ''] of rows) {
    const monitor = { recorder, environments } as unknown as Monitor;
    const outcome = maintain(what, new URLSearchParams(form), monitor, START + minute * MINUTE);
    assert.equal('problem' in outcome ? outcome.problem : outcome.done, said);
    recorder.close();
    recorder = open();
    recorder.enterAll([], START + minute * MINUTE);
    assert.equal(quietAt(minute + 0.5), quiet, said);
  }
  assert.equal(quietAt(24), '', 'it ends at its time');
  const [release] = recorder.calendar.of(['prod-2'], START);
  assert.deepEqual([release?.why, release?.person, release?.endedBy], ['release 41', 'CI', 'CI']);
});

test('of the windows that an environment is in, the page names the one that ends last', () => {
  const windows = [START + 50 * MINUTE, START + 70 * MINUTE, START + 60 * MINUTE];
  for (const until of windows)
    recorder.calendar.announce(['prod-1'], { start: START + 40 * MINUTE, until, why: '', person: 'CI' });
  const ends = [45, 65, 75].map((minute) => recorder.calendar.at(START + minute * MINUTE).get('prod-1')?.to);
  assert.deepEqual(ends, [windows[1], windows[1], undefined]);
});

test('a form leads back to a path of the page, and never to another site', () => {
  const own = '/?environment=qa&text=friends';
  assert.equal(ownPath(own), own);
  for (const given of ['//evil.example/', '/\\evil.example/', 'https://evil.example/', '/a\r\nset-cookie: x', ''])
    assert.equal(ownPath(given), '/', given);
});
