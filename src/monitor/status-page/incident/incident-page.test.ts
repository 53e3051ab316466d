import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { CANARY, fakeEnvironment, fakeResult, quickSettings, temporaryFolder } from '../../../testing/monitor/fakes.ts';
import { makeRecorder, recordRun } from '../../../testing/monitor/open-recorder.ts';
import { fetchOnce } from '../../../testing/servers/fetch-once.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import { Board } from '../scenario/board.ts';
import { Live } from '../server/live.ts';
import { Pages } from '../server/pages.ts';
import { pageServer } from '../server/server.ts';
import { eventOf } from './incident-form.ts';

const TOKEN = 'the-token-of-the-page-0123456789';
const MINUTE = 60_000;

async function started(t: TestContext, more: { readonly token?: string; readonly isPublic?: boolean }) {
  const { path, end } = temporaryFolder();
  const environment = fakeEnvironment('e');
  const settings = quickSettings(join(path, 'data'), more);
  const recorder = makeRecorder(join(path, 'h.sqlite'), [environment], { rule: settings.rule });
  recorder.enterAll([{ environment: 'e', title: 'block', area: 'friends', effect: 'read' }], 0);
  const run = (minute: number, verdict: 'failed' | 'passed') =>
    recordRun(recorder, environment, { first: fakeResult(verdict, minute * MINUTE) }, minute * MINUTE);
  let now = 3 * MINUTE;
  const pages = new Pages({
    recorder,
    board: new Board(recorder, [environment]),
    environments: [environment],
    settings,
    metrics: {} as Metrics,
    health: () => ({ isWell: true, problems: [], startedAt: 0, outbox: { waiting: 0, givenUp: 0 } }),
    pageUrl: () => 'http://page.test/',
    guessCause: (failed, ran) => `the made-up cause of ${JSON.stringify(failed)} in ${ran.join(', ')}`,
    runNow: () => 0,
    now: () => now,
  });
  const live = new Live(() => recorder.edition);
  const server = pageServer(pages, live);
  const url = `${await server.listen({ host: '127.0.0.1', port: 0 })}incidents/`;
  t.after(async () => {
    live.stop();
    await server.close();
    recorder.close();
    end();
  });
  const authorization = { authorization: `Bearer ${TOKEN}` };
  const text = async (id: number, headers: Record<string, string> = authorization) => {
    const response = await fetchOnce(`${url}${id}`, { headers });
    return `${response.status} ${await response.text()}`;
  };
  const post = async (id: number, fields: Record<string, string>, headers: Record<string, string> = authorization) => {
    const body = new URLSearchParams(fields);
    return (await fetchOnce(`${url}${id}`, { method: 'POST', headers, body, redirect: 'manual' })).status;
  };
  const at = (minute: number) => {
    now = minute * MINUTE;
  };
  return { recorder, run, text, post, at };
}

test('an incident has a page: title, likely cause, evidence, timeline, and what people did about it', async (t) => {
  const { recorder, run, text, post, at } = await started(t, { token: TOKEN });
  run(0, 'passed');
  run(1, 'failed');
  const before = await text(1);
  for (const part of [
    /^200 /,
    /<span class="title">Friends: block answers 500<\/span>/,
    /Not acknowledged\./,
    /<h2>Likely cause<\/h2><p>the made-up cause of \[\{&quot;title&quot;:&quot;block&quot;,&quot;operation&quot;:&quot;block&quot;,&quot;ending&quot;:\{&quot;status&quot;:500,&quot;text&quot;:&quot;\*\*\*&quot;\}\}\] in block/,
    /POST http:\/\/e\.test\/friends\/v1\/friends\/block/,
    /&quot;block&quot; went down — documented: it works/,
    /notice &quot;down&quot; to webhook \(waiting\)/,
  ])
    assert.match(before, part);
  assert.doesNotMatch(before, new RegExp(CANARY));

  assert.equal(await post(1, { person: 'Ada', kind: 'note', text: `looking <b> ${CANARY}` }), 303);
  assert.equal(await post(1, { person: 'Ada', kind: 'acknowledged' }), 303);
  at(4);
  assert.equal(await post(1, { person: 'Bo', kind: 'muted', for: '1h' }), 303);
  const after = await text(1);
  for (const part of [
    /Ada: looking &lt;b&gt; \*\*\*/,
    /Acknowledged by Ada/,
    /Muted until <time datetime="1970-01-01T01:04/,
    /Bo muted it until 1970-01-01 01:04 UTC/,
  ])
    assert.match(after, part);
  assert.deepEqual(recorder.incidents.handling(1), {
    acknowledged: { person: 'Ada', at: 3 * MINUTE },
    mutedUntil: 64 * MINUTE,
  });
  run(5, 'passed');
  assert.match(await text(1), /Resolved.*&quot;block&quot; recovered/s);
  assert.equal(await post(1, { person: 'Ada', kind: 'muted', for: '1h' }), 400);
  assert.equal(await post(1, { person: 'Ada', kind: 'note', text: 'it was the gateway' }), 303);
  assert.match(await text(99), /^404 /);
});

test('only who has the token may write; without one nobody may', async (t) => {
  const note = { person: 'Eve', kind: 'note', text: 'hello' };
  const guarded = await started(t, { token: TOKEN, isPublic: true });
  guarded.run(1, 'failed');
  assert.equal(await guarded.post(1, note, {}), 401);
  const seen = await guarded.text(1, {});
  assert.match(seen, /^200 /);
  assert.doesNotMatch(seen, /made-up cause|e\.test|it works|<form/);

  const open = await started(t, {});
  open.run(1, 'failed');
  assert.equal(await open.post(1, note, {}), 401);
  assert.match(await open.text(1, {}), /Set TOKEN in the monitor.s settings to add notes/);
  for (const { recorder } of [guarded, open]) assert.equal(recorder.db.all('SELECT * FROM incident_event').length, 0);
});

const forms: [fields: Record<string, string>, isOpen: boolean, expected: string | object][] = [
  [{ person: ' ', kind: 'note', text: 'x' }, true, 'Enter your name.'],
  [{ person: 'a'.repeat(81), kind: 'note', text: 'x' }, true, 'Enter a name of at most 80 characters.'],
  [{ person: 'Ada', kind: 'note', text: ' ' }, true, 'Enter a note.'],
  [{ person: 'Ada', kind: 'note', text: 'x'.repeat(1001) }, true, 'Enter a note of at most 1000 characters.'],
  [{ person: 'Ada', kind: 'muted', for: '9 y' }, true, 'Choose how long to mute: 1h, 4h, 1d, 7d.'],
  [{ person: 'Ada', kind: 'muted', for: 'constructor' }, true, 'Choose how long to mute: 1h, 4h, 1d, 7d.'],
  [{ person: 'Ada', kind: 'deleted' }, true, 'Choose what to do.'],
  [{ person: 'Ada', kind: 'acknowledged' }, false, 'This incident is resolved: only notes can be added.'],
  [{ person: ' Ada ', kind: 'note', text: 'x' }, false, { at: 7, person: 'Ada', text: 'x', kind: 'note' }],
  [{ person: 'Ada', kind: 'unmuted' }, true, { at: 7, person: 'Ada', text: '', kind: 'unmuted' }],
];

test('what a form says, or what is wrong with it', () => {
  for (const [fields, isOpen, expected] of forms)
    assert.deepEqual(eventOf(new URLSearchParams(fields), isOpen, 7), expected);
});
