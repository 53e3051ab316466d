import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '../../src/config/project-root.ts';
import { ownFolder } from '../../src/testing/own-folder.ts';
import { startChild } from '../../src/testing/programs/child.ts';
import { type Limits, runTestFiles } from './test-file.ts';

const folder = ownFolder();

const helper = join(projectRoot, 'src', 'testing', 'programs', 'child.ts');
/** A program that would run for minutes, and whose process id is noted beside the file. */
const startsChild = `writeFileSync(import.meta.filename + '.pid', String(startChild('sleep', ['600']).pid));`;
const preamble = `import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { startChild } from ${JSON.stringify(helper)};
const log = import.meta.dirname + '/' + import.meta.filename.replaceAll(/[/\\\\]/g, '-') + '.jsonl';
const noted = () => (existsSync(log) ? readFileSync(log, 'utf8') : '');
const ever = () => new Promise(() => setInterval(() => {}, 1000));
`;

const never: Limits = { testMs: 600_000, fileMs: 600_000, endMs: 600_000 };

const rows: [name: string, source: string, limits: Partial<Limits>, failed: number, says: RegExp][] = [
  ['a test that waits for ever', `test('waits', ever);`, { testMs: 200, endMs: 500 }, 1, /✖ waits.*\n[\s\S]*timed out/],
  [
    'one that blocks its process',
    // It blocks once its beginning is noted, which takes as long as the disk does.
    `test('outer', (t) => t.test('blocks', async () => { while (!noted().includes('"blocks"')) await new Promise(setImmediate); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); }));`,
    { fileMs: 20_000 },
    1,
    /ended after 20 s, in "outer > blocks"/,
  ],
  [
    'a hook that waits for ever',
    `before(ever); test('never begins', () => {});`,
    { fileMs: 10_000 },
    1,
    /ended after 10 s/,
  ],
  [
    'something left open',
    `test('opens', () => { setInterval(() => {}, 1000); });`,
    { endMs: 500 },
    1,
    /its tests ended, but not its process/,
  ],
  ['no test', '', {}, 1, /it ran no test: exit 0/],
  ['a file that does not load', `throw new Error('at the top');`, {}, 1, /at the top/],
  [
    'a program that is still running at the end of its tests',
    `test('starts', () => { ${startsChild} });`,
    { endMs: 500 },
    1,
    /its tests ended, but not its process/,
  ],
  [
    'a program of a file that is killed',
    `test('starts', async () => { ${startsChild} process.kill(process.pid, 'SIGKILL'); await ever(); });`,
    {},
    1,
    /it ran no test: SIGKILL/,
  ],
  [
    'a program of a test that waits for ever',
    `test('starts', async () => { ${startsChild} await ever(); });`,
    { testMs: 500, endMs: 500 },
    1,
    /✖ starts/,
  ],
];

describe('a test file', { concurrency: true }, () => {
  for (const [index, [name, source, limits, failed, says]] of rows.entries())
    test(`${name} ends, and is ${failed ? 'red' : 'green'}`, async () => {
      const file = join(folder, `row-${index}.test.ts`);
      writeFileSync(file, preamble + source);
      const { counts, output } = await runTestFiles([file], folder, { ...never, ...limits });
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

/** Resolves when the program that `file` started is gone; a zombie counts as gone. */
async function programIsGone(file: string): Promise<void> {
  const status = `/proc/${readFileSync(`${file}.pid`, 'utf8')}/status`;
  while (existsSync(status) && !/^State:\tZ/m.test(readFileSync(status, 'utf8'))) await sleep(20);
}
