import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { ConfigurationError } from '../../config/index.ts';
import { temporaryHistory } from '../../testing/monitor/open-recorder.ts';
import { ownFolder } from '../../testing/own-folder.ts';
import { startChild } from '../../testing/programs/child.ts';
import { HistoryDatabase, lockFolder } from './database.ts';
import { exportLines } from './export.ts';
import { mergedLatencies, percentiles } from './latencies.ts';
import { addNotice, noteAttempt } from './outbox.ts';
import { addToRollups, buckets, DAY, HOUR, sumOf } from './rollups.ts';
import { addFailure, addRun, lastRuns, pruneSome } from './runs.ts';
import { enterScenario } from './scenarios.ts';
import { EARLIER_ID, VERSION } from './schema.ts';

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

test('a newer, a foreign and a torn file are refused with a clear message and left unchanged', () => {
  const folder = ownFolder();
  const path = (name: string) => join(folder, name);
  new HistoryDatabase(path('newer')).close();
  const newer = new DatabaseSync(path('newer'));
  newer.exec('PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)');
  newer.close();
  const earlier = new DatabaseSync(path('earlier'));
  earlier.exec(`CREATE TABLE run (x); PRAGMA user_version = 7; PRAGMA application_id = ${EARLIER_ID}`);
  earlier.close();
  new HistoryDatabase(path('other columns')).close();
  const other = new DatabaseSync(path('other columns'));
  other.exec('ALTER TABLE flip ADD COLUMN call TEXT; PRAGMA wal_checkpoint(TRUNCATE)');
  other.close();
  const foreign = new DatabaseSync(path('foreign'));
  foreign.exec('CREATE TABLE theirs (x)');
  foreign.close();
  writeFileSync(path('text'), 'this is not a database, and long enough to be seen as none at all'.repeat(20));
  new HistoryDatabase(path('torn')).close();
  truncateSync(path('torn'), 9_000);
  writeFileSync(path('empty'), '');
  const damaged = /can't be used: (file is not a database|database disk image is malformed)\. It is unchanged/;
  for (const [name, pattern] of [
    ['newer', /written by a newer Sextant.*Update Sextant/],
    [
      'earlier',
      /earlier was written by a Sextant before 1\.0, and is not read any more\. The file is unchanged\. Choose another --data folder\.$/,
    ],
    ['other columns', /was written by a Sextant before 1\.0/],
    ['foreign', /is not a monitor history/],
    ['text', damaged],
    ['empty', /is empty: its history is lost\. Put a copy back, or remove the file to begin a new history\.$/],
    ['torn', damaged],
  ] as const) {
    const before = readFileSync(path(name));
    assert.throws(() => new HistoryDatabase(path(name)).all('SELECT * FROM run'), trouble(pattern), name);
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

test('one monitor per folder, until its process ends, even by a kill', async () => {
  const file = join(ownFolder(), 'lock.sqlite');
  const script = `import { lockFolder } from ${JSON.stringify(new URL('database.ts', import.meta.url).href)};
    const lock = lockFolder(${JSON.stringify(file)}); console.log('locked');
    // A lock that nothing refers to is closed with its database when memory is collected.
    setInterval(() => lock, 1000);`;
  const child = startChild(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  assert.ok(existsSync(file));
  assert.throws(() => lockFolder(file), trouble(/Another monitor is using this data folder/));
  child.kill('SIGKILL');
  await once(child, 'exit');
  lockFolder(file)();
});

function open(t: { after(fn: () => void): void }) {
  const db = temporaryHistory(t);
  const { id } = enterScenario(db, { environment: 'e', title: 'block, =then', area: 'friends', effect: 'read' }, 0);
  return { db, id };
}

/** From a tenth of a millisecond to an hour; and a long tail over three days, which averaged percentiles get wrong. */
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
        addToRollups(db, id, Math.floor((index / 2_000) * 3 * DAY), { runs: 1, judged: 1, good: 1 }, ms);
    });
    all.sort((a, b) => a - b);
    for (const size of [HOUR, DAY]) {
      const found = buckets(db, id, size, { from: 0, to: 3 * DAY });
      assert.equal(found.length, size === HOUR ? 72 : 3);
      const { runs, good } = sumOf(found);
      assert.deepEqual([runs, good], [2_000, 2_000]);
      const asked = [1, 50, 95, 99, 100];
      for (const [index, merged = 0] of percentiles(mergedLatencies(found), asked).entries()) {
        const percent = asked[index] ?? 0;
        const exact = all[Math.ceil((percent / 100) * all.length) - 1] ?? 0;
        assert.ok(Math.abs(merged - exact) / exact <= 0.03, `p${percent}: ${merged}, exactly ${exact}`);
      }
    }
  });

test('raw runs are kept 30 days, failures and notices 400 days, roll-ups forever, and what waits; what expired is deleted a little at a time', (t) => {
  const { db, id } = open(t);
  const now = 500 * DAY;
  const add = (started: number) =>
    addRun(db, id, { planned: started, started, ms: 1, verdict: 'failed', evidence: 'down' });
  for (let started = 0; started < 8; started++) add(started);
  for (const age of [401, 399, 31, 29, 0]) {
    const started = now - age * DAY;
    addFailure(db, id, { run: add(started), started, verdict: 'failed' });
    addToRollups(db, id, started, { runs: 1 });
  }
  for (let notice = 0; notice < 30; notice++) {
    addNotice(db, { kind: 'down', incident: 0, channel: `c${notice}`, body: '{}' }, 0);
    if (notice >= 11) noteAttempt(db, notice + 1, 'sent', notice < 22 ? 0 : now);
  }
  const count = (table: string) => db.get(`SELECT count(*) AS count FROM ${table}`)?.count;
  const steps = [0, 1, 2].map(() => {
    pruneSome(db, now, 30 * DAY);
    return [count('run'), count('failure')];
  });
  assert.deepEqual(steps, [
    [3, 4],
    [2, 4],
    [2, 4],
  ]);
  assert.deepEqual([count('rollup'), count('notice'), lastRuns(db, id, 10, Infinity).length], [10, 19, 2]);
});

test('export: one line per row; CSV cells are quoted, and none is a formula', (t) => {
  const { db, id } = open(t);
  const passed = { verdict: 'passed', evidence: 'up', status: 200, phases: { connect: 1 } } as const;
  addRun(db, id, { planned: 1, started: 2, ms: 3.5, ...passed });
  const run = addRun(db, id, { planned: 5, started: 6, ms: 7, verdict: 'failed', evidence: 'down' });
  addFailure(db, id, { run, started: 6, verdict: 'failed', reason: '=cmd|"x", y' });
  const [first] = [...exportLines(db, 'runs', 'ndjson')].map((line) => JSON.parse(line));
  const { environment, scenario, ms, phases } = first;
  assert.deepEqual([environment, scenario, ms, phases], ['e', 'block, =then', 3.5, { connect: 1 }]);
  const csv = [...exportLines(db, 'failures', 'csv')].join('');
  assert.match(csv, /^environment,scenario,area,started,/);
  assert.match(csv, /e,"block, =then",friends,6,failed,,,"'=cmd\|""x"", y",,\r\n$/);
});

test('the export counts latencies by the upper bound of their bucket', (t) => {
  const { db, id } = open(t);
  for (let index = 0; index < 80; index++) addToRollups(db, id, index, { runs: 1, judged: 1, good: 1 }, 10 + index);
  const [row] = [...exportLines(db, 'days', 'ndjson')].map((line) => JSON.parse(line));
  const entries = Object.entries(row.latency as Record<string, number>).map(([bound, count]) => [Number(bound), count]);
  assert.equal(
    entries.reduce((sum, [, count]) => sum + (count ?? 0), 0),
    80,
  );
  assert.ok(entries.every(([bound]) => bound !== undefined && bound >= 10 && bound < 94));
});

test('latencies that are damaged cost no run', (t) => {
  const { db, id } = open(t);
  for (const damaged of ['HISTOGRAM', ':', '12', '7:x', '']) {
    addToRollups(db, id, 0, { runs: 1 }, 5);
    db.run('UPDATE rollup SET latency = ?, runs = 0', damaged);
    for (let run = 0; run < 130; run++) addToRollups(db, id, 0, { runs: 1 }, 7);
    const [day = assert.fail()] = buckets(db, id, DAY, { from: 0, to: DAY });
    assert.equal(day.runs, 130);
    assert.ok(Math.abs((percentiles(mergedLatencies([day]), [50])[0] ?? 0) / 7 - 1) <= 0.03, damaged);
    assert.equal([...exportLines(db, 'days', 'ndjson')].length, 1);
  }
});
