import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '../src/environment/project-root.ts';
import { ownFolder } from '../src/testing/own-folder.ts';
import { plainEnvironment, startChild } from '../src/testing/programs/child.ts';
import { startProgram } from '../src/testing/programs/run-command.ts';

const folder = ownFolder();

const helper = join(projectRoot, 'src', 'testing', 'programs', 'child.ts');
/** Starts a program that would run for minutes, and writes its process id to a file next to the test file. */
const startsChild = `writeFileSync(import.meta.filename + '.pid', String(startChild('sleep', ['600']).pid));`;
const preamble = `import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { startChild, TEST_LIMIT_MS } from ${JSON.stringify(helper)};
const ever = () => new Promise(() => setInterval(() => {}, 1000));
// A minute takes a second.
const later = setTimeout;
globalThis.setTimeout = (work, ms) => later(work, ms / 60);
`;

/** Sources of test files, each with the output that it must produce. */
const sources: Readonly<Record<string, readonly [source: string, ...says: RegExp[]]>> = {
  fine: [`test('a', () => {});`, /^ok {5}.*fine\.test\.ts \(/m],
  red: [
    `test('b', () => assert.equal(1, 2)); test('c', { skip: 'no browser' }, () => {}); test('d', () => {});`,
    /^FAILED .*red\.test\.ts: 1 passed, 1 failed, 1 skipped/m,
    /^﹣ c .*no browser/m,
    /red\.test\.ts.*\n✖ b.*\n[^✖]*1 !== 2/,
  ],
  limited: [
    `test('e', () => assert.ok(process.execArgv.includes('--test-timeout=' + TEST_LIMIT_MS)));`,
    /^ok {5}.*limited/m,
  ],
  waits: [
    `test('outer', { timeout: 500 }, (t) => t.test('waits', () => { ${startsChild} return ever(); }));`,
    /waits\.test\.ts.*\n✖ waits/,
    /waits\.test\.ts.*\n✖ outer.*\n.*timed out/,
  ],
  hook: [`before(ever, { timeout: 200 }); test('never begins', () => {});`, /hook\.test\.ts.*\n✖ never begins/],
  open: [`test('opens', () => { setInterval(() => {}, 1000); });`, /open\.test\.ts .*still open \(Timeout\)/],
  none: ['', /^FAILED .*none\.test\.ts: it ran no test/m],
  broken: [`throw new Error('at the top');`, /Error: at the top/, /✖ .*broken\.test\.ts/],
  suite: [`describe('all', () => { throw new Error('in the suite'); });`, /suite\.test\.ts.*\n✖ all.*\n.*in the suite/],
  left: [`test('starts', () => { ${startsChild} });`, /^ok {5}.*left/m],
  killed: [
    `test('starts', async () => { ${startsChild} process.kill(process.pid, 'SIGKILL'); await ever(); });`,
    /✖ .*killed\.test\.ts/,
  ],
};

test('whatever a test file does, it ends, and the programs that it started; what failed is named with its reason', async () => {
  const files = Object.entries(sources).map(([name, [source]]) => {
    const file = join(folder, `${name}.test.ts`);
    writeFileSync(file, preamble + source);
    return file;
  });
  // Node runs no test files from within a test, so this test starts the runner as a program.
  const args = [join(import.meta.dirname, 'node-tests.ts'), 'hermetic', ...files];
  const { said, ended } = startProgram(process.execPath, args, { cwd: projectRoot, env: plainEnvironment() });
  assert.equal(await ended, 1, said());
  assert.match(said(), /\n5 passed, 8 failed, 1 skipped\n$/);
  for (const [source, ...says] of Object.values(sources)) for (const each of says) assert.match(said(), each, source);
  for (const file of files.filter((each) => /waits|left|killed/.test(each))) await programIsGone(file);
});

test('a program ends with the process that started it, whatever ends that one', async () => {
  for (const end of [`process.kill(process.pid, 'SIGKILL')`, `throw new Error('x')`, 'process.exit()']) {
    const file = join(folder, 'starts.ts');
    writeFileSync(file, `${preamble}${startsChild} setTimeout(() => { ${end}; }, 100);`);
    await once(startChild(process.execPath, [file]), 'exit');
    await programIsGone(file);
  }
});

/** Resolves when the program that `file` started has ended; a zombie counts as ended. */
async function programIsGone(file: string): Promise<void> {
  const status = `/proc/${readFileSync(`${file}.pid`, 'utf8')}/status`;
  while (existsSync(status) && !/^State:\tZ/m.test(readFileSync(status, 'utf8'))) await sleep(20);
}
