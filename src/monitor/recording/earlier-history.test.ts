import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { fakeEnvironment, fakeResult } from '../../testing/monitor/fakes.ts';
import { makeRecorder, recordRun } from '../../testing/monitor/open-recorder.ts';
import { ownFolder } from '../../testing/own-folder.ts';
import { APPLICATION_ID, migrations } from '../history/migrations.ts';

const MINUTE = 60_000;

test('an open incident of an earlier version goes on: what was told is not told again, and its end is', (t) => {
  const file = join(ownFolder(), 'h.sqlite');
  const earlier = new DatabaseSync(file);
  for (const sql of migrations.slice(0, 4)) earlier.exec(sql);
  earlier.exec(`PRAGMA user_version = 4; PRAGMA application_id = ${APPLICATION_ID}`);
  const down = JSON.stringify({ judged: true, down: { on: true, contrary: 0 }, degraded: { on: true, contrary: 0 } });
  for (const [id, title] of [
    [1, 'block'],
    [2, 'renamed since'],
  ] as const) {
    earlier.exec(`INSERT INTO scenario VALUES (${id}, 'e', '${title}', 'friends', 'read', 0, 60000, '${down}')`);
    earlier.exec(
      `INSERT INTO flip VALUES (${id}, ${id}, 'up', 'down', 60000, 60000, 'failed', NULL, NULL, NULL, 'address', 'http://e.test/friends/', NULL, ${id})`,
    );
    earlier.exec(
      `INSERT INTO failure VALUES (${100 + id}, ${id}, 60000, 'failed', NULL, NULL, NULL, NULL, '{"operation":"unblock","request":{"url":"http://e.test/friends/v1/x"},"answer":{"status":${500 + id}}}')`,
    );
    earlier.exec(`INSERT INTO telling VALUES (${id}, ${id}, 'down', 60000, 1)`);
    earlier.exec(
      `INSERT INTO notice (key, incident, channel, body, created, next_at) VALUES ('i-${id}-webhook', ${id}, 'webhook', '{"kind":"down"}', 60000, 60000)`,
    );
  }
  earlier.close();
  const environment = fakeEnvironment('e');
  const recorder = makeRecorder(file, [environment], {
    rule: { downAfter: 1, upAfter: 2, remindAfterMs: 600 * MINUTE, gatherMs: MINUTE },
  });
  t.after(() => recorder.close());
  assert.deepEqual(
    recorder.incidents.open.map(({ hits }) => hits[0]?.call),
    [501, 502].map((status) => ({ operation: 'unblock', origin: 'http://e.test', status })),
  );
  recorder.enterAll([{ environment: 'e', title: 'block', area: 'friends', effect: 'read' }], 2 * MINUTE);
  recorder.retireOthers(2 * MINUTE);
  assert.deepEqual(
    recorder.scenarios.monitored.map(({ title }) => title),
    ['block'],
  );
  for (const minute of [3, 4, 5])
    recordRun(
      recorder,
      environment,
      { first: fakeResult(minute === 3 ? 'failed' : 'passed', minute * MINUTE) },
      minute * MINUTE,
    );
  recorder.pass(6 * MINUTE);
  const headlines = recorder.db.all("SELECT body FROM notice WHERE kind != 'down' ORDER BY id");
  assert.deepEqual(
    headlines.map(({ body }) => JSON.parse(String(body)).headline),
    ['e: "renamed since" is no longer monitored, after 1 min', 'e: "block" has recovered in Friends after 3 min'],
  );
  assert.equal(recorder.incidents.open.length, 0);
});
