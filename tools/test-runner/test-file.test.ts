import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '../../src/environment/project-root.ts';
import { ownFolder } from '../../src/testing/own-folder.ts';
import { plainEnvironment, startChild } from '../../src/testing/programs/child.ts';
import { startProgram } from '../../src/testing/programs/run-command.ts';
import type { Limits } from './test-file.ts';
import type { Ran } from './work.ts';

const folder = ownFolder();

const helper = join(projectRoot, 'src', 'testing', 'programs', 'child.ts');
/** A program that would run for minutes, and whose process id is noted beside the file. */
const startsChild = `writeFileSync(import.meta.filename + '.pid', String(startChild('sleep', ['600']).pid));`;
const preamble = `import { writeFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { startChild } from ${JSON.stringify(helper)};
const ever = () => new Promise(() => setInterval(() => {}, 1000));
`;

const never: Limits = { testMs: 600_000, fileMs: 600_000, endMs: 600_000 };

const rows: [name: string, source: string, limits: Partial<Limits>, failed: number, says: RegExp][] = [
  ['a test that waits for ever', `test('waits', ever);`, { testMs: 200, endMs: 500 }, 2, /✖ waits.*\n[\s\S]*timed out/],
  [
    'one that blocks its process',
    // It blocks once its beginning is reported.
    `test('outer', (t) => t.test('blocks', async () => { await wait(500); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); }));`,
    { fileMs: 3000 },
    1,
    /ended after 3 s, in "outer > blocks"/,
  ],
  [
    'a hook that waits for ever',
    `before(ever); test('never begins', () => {});`,
    { fileMs: 2000 },
    1,
    /ended after 2 s, /,
  ],
  [
    'something left open',
    `test('opens', () => { setInterval(() => {}, 1000); });`,
    { endMs: 1000 },
    1,
    /ended after 1 s, .*something that is still open/,
  ],
  ['no test', '', {}, 1, /it ran no test/],
  ['a file that does not load', `throw new Error('at the top');`, {}, 1, /at the top/],
  ['a suite that does not load', `describe('all', () => { throw new Error('in the suite'); });`, {}, 1, /in the suite/],
  [
    'a failed, a skipped and a passed test',
    `test('a', () => { throw new Error('why'); }); test('b', { skip: 'no browser' }, () => {}); test('c', () => {});`,
    {},
    1,
    /✖ a[\s\S]*no browser[\s\S]*why/,
  ],
  [
    'a program that is still running at the end of its tests',
    `test('starts', () => { ${startsChild} });`,
    {},
    0,
    /✔ starts/,
  ],
  [
    'a program of a file that is killed',
    `test('starts', async () => { ${startsChild} process.kill(process.pid, 'SIGKILL'); await ever(); });`,
    {},
    1,
    /✖ .*row-/,
  ],
  [
    'a program of a test that waits for ever',
    `test('starts', async () => { ${startsChild} await ever(); });`,
    { testMs: 500, endMs: 500 },
    2,
    /✖ starts/,
  ],
];

describe('a test file', { concurrency: true }, () => {
  for (const [index, [name, source, limits, failed, says]] of rows.entries())
    test(`${name} ends, and is ${failed ? 'red' : 'green'}`, async () => {
      const file = join(folder, `row-${index}.test.ts`);
      writeFileSync(file, preamble + source);
      const { counts, output } = await inOwnProcess(file, { ...never, ...limits });
      assert.equal(counts.failed, failed, output);
      assert.match(output, says);
      if (source.includes(startsChild)) await programIsGone(file);
    });
});

test('a program ends with the process that started it, whatever ends that one', async () => {
  for (const end of [`process.kill(process.pid, 'SIGKILL')`, `throw new Error('x')`, 'process.exit()']) {
    const file = join(folder, 'starts.ts');
    writeFileSync(file, `${preamble}${startsChild} setTimeout(() => { ${end}; }, 100);`);
    await once(startChild(process.execPath, [file]), 'exit');
    await programIsGone(file);
  }
});

const runner = join(folder, 'runner.ts');
writeFileSync(
  runner,
  `import { runTestFile } from ${JSON.stringify(join(import.meta.dirname, 'test-file.ts'))};
const [file, folder, limits] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await runTestFile(file, folder, JSON.parse(limits))));`,
);

/** Node runs no test files within a test. */
async function inOwnProcess(file: string, limits: Limits): Promise<Ran> {
  const args = [runner, file, folder, JSON.stringify(limits)];
  const { said, ended } = startProgram(process.execPath, args, { env: plainEnvironment() });
  assert.equal(await ended, 0, said());
  return JSON.parse(said());
}

/** Resolves when the program that `file` started is gone; a zombie counts as gone. */
async function programIsGone(file: string): Promise<void> {
  const status = `/proc/${readFileSync(`${file}.pid`, 'utf8')}/status`;
  while (existsSync(status) && !/^State:\tZ/m.test(readFileSync(status, 'utf8'))) await sleep(20);
}
