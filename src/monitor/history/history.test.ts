import assert from 'node:assert/strict';
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { ConfigurationError } from '../../environment/index.ts';
import { temporaryHistory } from '../../testing/monitor/open-recorder.ts';
import { ownFolder } from '../../testing/own-folder.ts';
import { HistoryDatabase } from './database.ts';
import { exportLines } from './export.ts';
import { addFlip, flips } from './incidents.ts';
import { percentiles } from './latencies.ts';
import { addNotice, noteAttempt } from './outbox.ts';
import { addToRollups, buckets, DAY, HOUR, sumOf } from './rollups.ts';
import { addRun, type KeptExchange, lastRuns, pruneSome } from './runs.ts';
import { enterScenario } from './scenarios.ts';
import { VERSION } from './schema.ts';

function trouble(pattern: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof ConfigurationError, String(error));
    assert.match(error.message, pattern);
    return true;
  };
}

test('a new file is of the latest version, and opens again as the same history', () => {
  const file = join(ownFolder(), 'history.sqlite');
  const first = new HistoryDatabase(file);
  const { instance } = first;
  assert.equal(first.get('PRAGMA user_version')?.user_version, VERSION);
  assert.equal(first.get('PRAGMA journal_mode')?.journal_mode, 'wal');
  first.close();
  const again = new HistoryDatabase(file);
  assert.equal(again.instance, instance);
  again.close();
});

/** Files that can't be used as the history: for each, the SQL that makes the file, and the error message. */
const refusals: [name: string, sql: string, said: RegExp, isOurs?: false][] = [
  ['newer', 'PRAGMA user_version = 99', /written by a newer Sextant.*Update Sextant/],
  ...[0x7378746e, 0x73787431].map((id): (typeof refusals)[number] => [
    `earlier ${id}`,
    `CREATE TABLE old (x); PRAGMA application_id = ${id}`,
    /was written by a Sextant before 1\.0, and is not read any more\. The file is unchanged\. Choose another --data folder\.$/,
    false,
  ]),
  ['foreign', 'CREATE TABLE theirs (x)', /is not a monitor history/, false],
];

test('a newer, a foreign and a torn file are refused with a clear message and left unchanged', () => {
  const folder = ownFolder();
  const path = (name: string) => join(folder, name);
  for (const [name, sql, , isOurs = true] of refusals) {
    if (isOurs) new HistoryDatabase(path(name)).close();
    const made = new DatabaseSync(path(name));
    made.exec(`${sql}; PRAGMA wal_checkpoint(TRUNCATE)`);
    made.close();
  }
  writeFileSync(path('text'), 'this is not a database, and long enough to be seen as none at all'.repeat(20));
  new HistoryDatabase(path('torn')).close();
  truncateSync(path('torn'), 9_000);
  writeFileSync(path('empty'), '');
  const damaged = /can't be used: (file is not a database|database disk image is malformed)\. It is unchanged/;
  for (const [name, said] of [
    ...refusals.map(([name, , said]) => [name, said] as const),
    ['text', damaged],
    ['empty', /is empty: its history is lost\. Put a copy back, or remove the file to begin a new history\.$/],
    ['torn', damaged],
  ] as const) {
    const before = readFileSync(path(name));
    assert.throws(() => new HistoryDatabase(path(name)).all('SELECT * FROM run'), trouble(said), name);
    assert.deepEqual(readFileSync(path(name)), before, `${name} was touched`);
  }
  assert.throws(() => new HistoryDatabase(path('missing/history')), trouble(/unable to open database file/));
});

test('a file held by another process is reported as locked', (t) => {
  const db = temporaryHistory(t);
  db.get('PRAGMA busy_timeout = 1');
  const other = new DatabaseSync(db.file);
  other.exec('BEGIN EXCLUSIVE');
  t.after(() => other.close());
  assert.throws(
    () => db.run(`INSERT INTO meta VALUES ('a', 'b')`),
    trouble(/database is locked\. Stop the process that holds it/),
  );
});

test('the log stays short, so that no commit waits long for it to be emptied', (t) => {
  const db = temporaryHistory(t);
  let most = 0;
  for (let commit = 0; commit < 150; commit++) {
    db.run('INSERT INTO meta VALUES (?, ?)', `made up ${commit}`, 'x '.repeat(6_000));
    most = Math.max(most, statSync(`${db.file}-wal`).size);
  }
  assert.ok(most > 100_000 && most < 1_000_000, `${most} bytes`);
});

function open(t: { after(fn: () => void): void }) {
  const db = temporaryHistory(t);
  const { id } = enterScenario(db, { environment: 'e', title: 'block, =then', area: 'friends', effect: 'read' }, 0);
  return { db, id };
}

/** Latencies from a tenth of a millisecond to an hour; and latencies over three days with a long tail, for which averaged percentiles are wrong. */
const distributions: Readonly<Record<string, (of: number) => number>> = {
  wide: (of) => 0.1 * 36_000_000 ** (of / 2_000),
  'long tail': (of) => 2 + (of % 97) ** 1.7 + (of % 500 === 0 ? 4_000 : 0),
};

for (const [name, latency] of Object.entries(distributions))
  test(`percentiles of merged hours and days are within 3 % of the exact ones: ${name}`, (t) => {
    const { db, id } = open(t);
    const all = Array.from({ length: 2_000 }, (_, index) => latency(index));
    db.transaction(() => {
      for (const [index, ms] of all.entries())
        addToRollups(db, id, (index / 2_000) * 3 * DAY, { runs: 1, judged: 1, good: 1 }, ms);
      // A run that could not be judged has no latency.
      addToRollups(db, id, 0, { runs: 1 });
    });
    all.sort((a, b) => a - b);
    for (const [size, count] of [
      [HOUR, 72],
      [DAY, 3],
    ] as const) {
      const found = buckets(db, id, size, { from: 0, to: 3 * DAY });
      const { runs, good } = sumOf(found);
      assert.deepEqual([found.length, runs, good], [count, 2_001, 2_000]);
      for (const percent of [1, 50, 95, 99, 100]) {
        const [merged = 0] = percentiles(found, [percent]);
        const exact = all[Math.ceil((percent / 100) * all.length) - 1] ?? 0;
        assert.ok(Math.abs(merged - exact) / exact <= 0.03, `p${percent}: ${merged}, exactly ${exact}`);
      }
    }
    assert.deepEqual(percentiles([], [50]), [undefined]);
  });

test('raw runs are kept 30 days, failures and notices 400 days, roll-ups forever, and what waits; what expired is deleted a little at a time', (t) => {
  const { db, id } = open(t);
  const now = 500 * DAY;
  const gone = enterScenario(db, { environment: 'e', title: 'renamed', area: 'friends', effect: 'read' }, 0);
  const add = (started: number, more: object = {}, scenario = id) =>
    addRun(db, scenario, { planned: started, started, ms: 1, verdict: 'passed', evidence: 'up', ...more });
  // A run with a time in the future, as if the wall clock was ahead when the run was recorded. It must not prevent the deletion of old
  // runs.
  add(now + DAY);
  for (const scenario of [id, gone.id]) for (let started = 0; started < 12; started++) add(started, {}, scenario);
  for (const age of [401, 399, 31, 29, 0]) {
    const started = now - age * DAY;
    add(started);
    add(started, { verdict: 'failed', evidence: 'down', reason: 'it fails' });
    addToRollups(db, id, started, { runs: 1 });
  }
  for (let notice = 0; notice < 30; notice++) {
    addNotice(db, { kind: 'down', incident: 0, channel: `c${notice}`, body: '{}' }, 0);
    if (notice >= 11) noteAttempt(db, notice + 1, 'sent', notice < 22 ? 0 : now);
  }
  const count = (table: string) => db.get(`SELECT count(*) AS count FROM ${table}`)?.count;
  const old = now - 30 * DAY;
  const steps = [1, 2, 3, 4].map((later) => {
    add(now + later);
    pruneSome(db, now, 30 * DAY);
    return [count(`run WHERE reason IS NULL AND started < ${old}`), count('run WHERE reason IS NOT NULL')].join();
  });
  assert.deepEqual(steps, ['17,4', '7,4', '2,4', '0,4']);
  assert.deepEqual([count('rollup'), count('notice'), lastRuns(db, id, 10, now + 1).length], [10, 19, 6]);
});

test('export: one line per row; CSV cells are quoted, and none is a formula; latencies are counted by the bound of their bucket', (t) => {
  const { db, id } = open(t);
  const at = { environment: 'e', scenario: 'block, =then', area: 'friends' };
  const passed = { planned: 1, started: 2, ms: 3.5, verdict: 'passed', evidence: 'up', status: 200 } as const;
  addRun(db, id, { ...passed, phases: { connect: 1 } });
  const exchange = { operation: 'block', phases: { connect: 1 } } as unknown as KeptExchange;
  const failed = { planned: 5, started: 6, ms: 7, verdict: 'failed', evidence: 'down' } as const;
  addRun(db, id, { ...failed, reason: '=cmd|"x", y', exchange });
  for (const ms of [10, 10.1, 80]) addToRollups(db, id, 0, { runs: 1, judged: 1, good: 1 }, ms);
  const cause = { kind: 'operation', address: 'http://e.test/' } as const;
  const known = { verdict: 'failed', sentence: 'it fails', cause, steady: 6, since: 6, at: 7 } as const;
  const of = { scenario: { environment: 'e', title: at.scenario }, area: 'friends', isAtMost: true } as const;
  const flip = addFlip(db, id, { ...known, ...of, from: 'up', to: 'down' });
  assert.deepEqual(flips(db), [flip]);
  addNotice(db, { kind: 'down', incident: 1, channel: 'slack', body: '{}', key: 'k' }, 8);
  const counts = { runs: 3, judged: 3, good: 3, degraded: 0, retried: 0 };
  const rollup = { ...at, start: 0, ...counts, latency: { '10.30': 2, '83.97': 1 } };
  const nothing = { retry: null, grade: null, curl: null };
  for (const [what, first] of [
    ['runs', { ...at, ...passed, retry: null, phases: { connect: 1 } }],
    ['failures', { ...at, started: 6, verdict: 'failed', ...nothing, reason: '=cmd|"x", y', exchange }],
    [
      'flips',
      { id: 1, ...at, before: 'up', after: 'down', since: 6, at: 7, verdict: 'failed', sentence: 'it fails', cause },
    ],
    ['hours', rollup],
    ['days', rollup],
    ['notices', { key: 'k', incident: 1, channel: 'slack', kind: 'down', created: 8, attempts: 0 }],
  ] as const) {
    const exported = JSON.parse([...exportLines(db, what, 'ndjson')][0] ?? '');
    assert.deepEqual({ ...exported, ...first }, exported, what);
  }
  const [header, line] = [...exportLines(db, 'failures', 'csv')];
  assert.equal(header, 'environment,scenario,area,started,verdict,retry,grade,reason,curl,exchange\r\n');
  assert.match(line ?? '', /^e,"block, =then",friends,6,failed,,,"'=cmd\|""x"", y",,"{""operation"".*\r\n$/);
  db.run(`UPDATE run SET phases = '{'`);
  for (const read of [() => lastRuns(db, id, 1, 9), () => [...exportLines(db, 'runs', 'ndjson')]])
    assert.throws(read, trouble(/can't be used: malformed JSON\. It is unchanged/));
});
