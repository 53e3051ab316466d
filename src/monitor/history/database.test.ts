import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { temporaryHistory } from '../../testing/monitor/open-recorder.ts';
import { ownFolder } from '../../testing/own-folder.ts';
import { startChild } from '../../testing/programs/child.ts';
import { HistoryDatabase, HistoryTrouble, lockFolder } from './database.ts';
import { migrations } from './migrations.ts';

function trouble(pattern: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof HistoryTrouble, String(error));
    assert.match(error.message, pattern);
    return true;
  };
}

test('a new file is brought to the latest version, and opens again as the same history', () => {
  const file = join(ownFolder(), 'history.sqlite');
  const first = new HistoryDatabase(file);
  const { instance } = first;
  assert.equal(first.get('PRAGMA user_version')?.user_version, migrations.length);
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
  const foreign = new DatabaseSync(path('foreign'));
  foreign.exec('CREATE TABLE theirs (x)');
  foreign.close();
  writeFileSync(path('text'), 'this is not a database, and long enough to be seen as none at all'.repeat(20));
  new HistoryDatabase(path('torn')).close();
  truncateSync(path('torn'), 9_000);
  writeFileSync(path('empty'), '');
  for (const [name, pattern] of [
    ['newer', /written by a newer Sextant.*Update Sextant/],
    ['foreign', /is not a monitor history/],
    ['text', /is damaged or not the history of the monitor/],
    ['empty', /is empty: its history is lost\. Put a copy back, or remove the file to begin a new history\.$/],
    ['torn', /is damaged or not the history of the monitor/],
  ] as const) {
    const before = readFileSync(path(name));
    assert.throws(() => new HistoryDatabase(path(name)).all('SELECT * FROM run'), trouble(pattern), name);
    assert.deepEqual(readFileSync(path(name)), before, `${name} was touched`);
  }
  assert.throws(() => new HistoryDatabase(path('missing/history')), trouble(/can't be opened/));
});

test('a full disk loses the transaction, reports it, and keeps committed data', (t) => {
  const db = temporaryHistory(t);
  db.run(`INSERT INTO meta VALUES ('kept', 'x')`);
  const pages = Number(db.get('PRAGMA page_count')?.page_count);
  db.get(`PRAGMA max_page_count = ${pages}`);
  const fill = () => {
    db.run(`INSERT INTO meta VALUES ('first', 'x')`);
    db.run(`INSERT INTO meta VALUES ('second', ?)`, 'x'.repeat(200_000));
  };
  assert.throws(() => db.transaction(fill), trouble(/its disk is full.*continues by itself/));
  db.get(`PRAGMA max_page_count = ${pages + 1_000}`);
  assert.deepEqual(
    db.all(`SELECT name FROM meta ORDER BY name`).map(({ name }) => name),
    ['instance', 'kept'],
  );
  db.transaction(fill);
});

test('a file held by another process is reported as locked', (t) => {
  const db = temporaryHistory(t);
  db.get('PRAGMA busy_timeout = 1');
  const other = new DatabaseSync(db.file);
  other.exec('BEGIN EXCLUSIVE');
  t.after(() => other.close());
  assert.throws(() => db.run(`INSERT INTO meta VALUES ('a', 'b')`), trouble(/locked by another process/));
});

test('the log stays short, so that no commit waits long for it to be emptied', (t) => {
  const db = temporaryHistory(t);
  let most = 0;
  for (let commit = 0; commit < 400; commit++) {
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
  lockFolder(file).release();
});
