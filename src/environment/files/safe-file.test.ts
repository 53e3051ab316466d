import assert from 'node:assert/strict';
import fs, {
  chmodSync,
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, type TestContext, test } from 'node:test';
import { redact } from '../../redaction/index.ts';
import { ownFolder } from '../../testing/servers/own-service.ts';
import { projectRoot } from '../project-root.ts';
import { FileTrouble, fileRoles } from './file-trouble.ts';
import { readText, readTextIfAny, replaceText } from './safe-file.ts';

const folder = ownFolder();
const path = join(folder, 'file');
const role = fileRoles.settings;
beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
});

/** Makes a function of `fs` fail with an error code, e.g. that of a full disk. */
function failing(t: TestContext, name: 'writeFileSync' | 'renameSync', code: string): void {
  t.mock.method(fs, name, () => {
    throw Object.assign(new Error(code), { code });
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
}

for (const name of ['writeFileSync', 'renameSync'] as const) {
  test(`a file that can't be replaced (${name}) stays as it is, and nothing lies beside it`, (t) => {
    writeFileSync(path, 'before');
    failing(t, name, 'ENOSPC');
    assert.throws(
      () => replaceText(path, redact('after'), role),
      /can't be written: its disk is full\. Make room, or /,
    );
    assert.equal(readFileSync(path, 'utf8'), 'before');
    assert.deepEqual(readdirSync(folder), ['file']);
  });
}

test('a replaced file keeps its mode, and a link keeps its target', { skip: process.platform === 'win32' }, () => {
  writeFileSync(path, 'before');
  chmodSync(path, 0o640);
  symlinkSync(path, join(folder, 'link'));
  replaceText(join(folder, 'link'), redact('after'), role);
  assert.equal(readFileSync(path, 'utf8'), 'after');
  assert.equal(statSync(path).mode & 0o777, 0o640);
  assert.equal(readlinkSync(join(folder, 'link')), path);
});

test('folders on the way are made, and a new file is not open to all to write', {
  skip: process.platform === 'win32',
}, () => {
  replaceText(join(folder, 'a', 'b', 'c'), redact('text'), role);
  assert.equal(statSync(join(folder, 'a', 'b', 'c')).mode & 0o022, 0);
});

test('a socket is refused at once, to read and to write', { skip: process.platform === 'win32' }, async (t) => {
  const server = createServer().listen(path);
  t.after(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  for (const work of [readText, (at: string, for_: typeof role) => replaceText(at, redact(''), for_)])
    assert.throws(() => work(path, role), /is not a regular file\. Put a regular file there/);
});

test('nothing is undefined where it may be, and missing where it may not', () => {
  assert.equal(readTextIfAny(path, role), undefined);
  assert.throws(
    () => readText(path, role),
    (error) => {
      assert.ok(error instanceof FileTrouble);
      assert.equal(error.code, 'ENOENT');
      assert.equal(
        error.message,
        `${path} (the settings of the monitor) is missing, or a link to nothing. Check the path, or name another file with --settings.`,
      );
      return true;
    },
  );
});

test('a file that goes between the look and the opening, while another comes, is read', (t) => {
  writeFileSync(path, 'another');
  const open = t.mock.method(fs, 'readFileSync', () => {
    open.mock.restore();
    throw Object.assign(new Error('gone'), { code: 'ENOENT', path });
  });
  assert.equal(readTextIfAny(path, role), 'another');
});

test('a file that is far too large is not read', () => {
  writeFileSync(path, 'x'.repeat(2_000));
  assert.throws(() => readText(path, role, 1_000), /has more than 1000 bytes/);
});

test('a name with a NUL, or longer than any, is reported in one line', () => {
  for (const [name, code] of [
    ['a\0b', 'ERR_INVALID_ARG_VALUE'],
    ['a'.repeat(5_000), 'ENAMETOOLONG'],
  ])
    assert.throws(
      () => readText(join(folder, `${name}`), role),
      new RegExp(`can't be read: the system reported ${code}`),
    );
});

/** Code that opens files without `safe-file.ts`, each with the reason why a user can't damage these files. */
const exempt: Readonly<Record<string, string>> = {
  'src/environment/files/': 'this is the place',
  'src/http/correlation-headers.ts': "the program's own package.json",
  'src/monitor/status-page/server.ts': "the program's own assets",
  'src/run/in-process/collect-scenarios.ts': "the project's own specs",
  'src/playwright/adapter/spec-mistakes.ts': "lists the project's own specs",
  'src/cli/container/healthcheck.ts': 'files of the container, whose absence is an answer',
  'src/cli/commands/test.ts': 'the time of a file',
  'src/cli/connect/examination/examine-environment.ts': 'the permissions of a file, whose absence is an answer',
  'src/playwright/terminal.ts': 'whether standard output is a file; a closed one is none',
  'src/safety/lock/exclusive-lock.ts': "SQLite's lock; its errors go through `guarded`",
  'src/safety/journal-file.ts': 'keeps a file open and flushes it; its errors go through `guarded`',
  'src/scenario/run-files/run-log.ts': 'the time of a folder',
  'src/monitor/history/database.ts': 'the size of a file, through `guarded`',
  'src/testing/': 'for tests alone',
};

test('no other file of src/ opens files by itself', () => {
  const found = globSync('src/**/*.ts', { cwd: projectRoot })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => /from 'node:fs(\/promises)?'/.test(readFileSync(join(projectRoot, file), 'utf8')));
  assert.deepEqual(
    found.filter((file) => !Object.keys(exempt).some((known) => file.startsWith(known))),
    [],
  );
  for (const known of Object.keys(exempt)) assert.ok(existsSync(join(projectRoot, known)), `${known} is gone`);
});
