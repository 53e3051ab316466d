import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, suite, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { spawn as spawnOnTerminal } from '@lydell/node-pty';
import { startService } from '../../reference-service/index.ts';
import { projectRoot } from '../environment/project-root.ts';
import { leftAfter, plainEnvironment, processesWith } from '../testing/programs/child.ts';
import { endings, type Signal, signals, ways } from '../testing/programs/endings.ts';
import { localElsewhere, startProgram, until } from '../testing/programs/run-command.ts';

const command = join(projectRoot, 'node_modules', '.bin', 'sextant');
const oldNode = '/usr/bin/node';
const starts = {
  npx: ['npx', 'sextant'],
  native: [process.execPath, command],
  launcher: [oldNode, command],
  entrypoint: [process.execPath, join(projectRoot, 'src/cli/container/entrypoint.js')],
} as const;

const local = await localElsewhere();
const service = await startService({ port: local.base });
after(() => service.stop());

/**
 * Starts a long-running command in one of the `ways`, with its database in a new folder. The command is a monitor if `start` is `native`,
 * or if the test closes the terminal. Otherwise it is the reference service, which is enough to show whether a signal reaches the program.
 */
function started({ start, isTerminal }: (typeof ways)[number], signal: Signal) {
  const id = randomUUID();
  const folder = join(local.folder, id);
  mkdirSync(folder);
  writeFileSync(join(folder, 'settings.env'), '');
  const files = ['--settings', join(folder, 'settings.env'), '--data', folder];
  const monitor = ['monitor', '--area', 'storage', '--env', 'local', '--port', '0', ...files, '--yes'];
  const serve = ['serve', '--port', '0', '--data', join(folder, 'state.db')];
  const [file, ...first] = starts[start];
  const isMonitor = start === 'native' || (isTerminal && signal === 'SIGHUP');
  const args = [...first, ...(isMonitor ? monitor : serve)];
  const env = {
    ...plainEnvironment(),
    ...local.env,
    PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
    SEXTANT_STATE: join(folder, 'state'),
    SEXTANT_TEST_ROW: id,
    TMPDIR: folder,
  };
  /** An environment variable by which the test finds every process that it has started. */
  const mark = `SEXTANT_TEST_ROW=${id}`;
  if (!isTerminal) {
    const { child, said } = startProgram(file, args, { cwd: projectRoot, env });
    return { folder, mark, said, end: () => void child.kill(signal) };
  }
  const pty = spawnOnTerminal(file, args, { cwd: projectRoot, env: env as Record<string, string> });
  let text = '';
  pty.onData((part) => {
    text += part;
  });
  const end = () => {
    if (signal === 'SIGINT') pty.write('\x03');
    else if (signal === 'SIGHUP') (pty as unknown as { destroy(): void }).destroy();
    else process.kill(pty.pid, signal);
  };
  return { folder, mark, said: () => text, end };
}

for (const way of ways) {
  const lacks = way.start === 'launcher' && !existsSync(oldNode) && `needs ${oldNode}`;
  const skip = process.platform === 'linux' ? lacks : 'looks for processes in /proc';
  suite(way.name, { skip, concurrency: 2 }, () => {
    for (const signal of signals) {
      const ending = way.ends[signal];
      test(`${signal} leaves ${endings[ending]}`, async () => {
        const { folder, mark, said, end } = started(way, signal);
        try {
          for (const since = performance.now(); !said().includes('Press Ctrl-C'); await wait(50))
            assert.ok(performance.now() - since < 60_000, said());
          const before = processesWith(mark);
          end();
          assert.deepEqual(await leftAfter(2, mark), ending === 'on' ? before : [], said());
          // SQLite deletes its write-ahead log when the program closes the history. A killed program doesn't close it.
          const isClosed = !readdirSync(folder).some((name) => name.endsWith('-wal'));
          assert.equal(isClosed, ending === 'clean', said());
        } finally {
          for (const pid of processesWith(mark)) process.kill(pid, 'SIGKILL');
        }
      });
    }
  });
}

test('Ctrl-C in a terminal is not handed on, also where the input is not the terminal', {
  skip: existsSync(oldNode) ? false : `needs ${oldNode}`,
}, async () => {
  const file = join(local.folder, 'ends.ts');
  writeFileSync(
    file,
    "process.once('SIGINT', () => process.exit()); setInterval(() => {}, 1000); console.log('ready');",
  );
  const tells = `import { ChildProcess } from 'node:child_process'; ChildProcess.prototype.kill = () => console.log('handed on');`;
  const preload = `--import=data:text/javascript,${encodeURIComponent(tells)}`;
  const command = `exec "${oldNode}" "${preload}" "${join(projectRoot, 'src/cli/launcher/node-runtime.js')}" "${file}" </dev/null`;
  const pty = spawnOnTerminal('sh', ['-c', command], { env: plainEnvironment() as Record<string, string> });
  let said = '';
  const ended = new Promise((resolve) => pty.onExit(resolve));
  pty.onData((text) => {
    const wasReady = said.includes('ready');
    said += text;
    if (!wasReady && said.includes('ready')) pty.write('\x03');
  });
  await ended;
  assert.match(said, /ready/);
  assert.doesNotMatch(said, /handed on/);
});

test('Ctrl-C to a process group without a terminal reaches the program twice, and lets it end cleanly', async () => {
  const file = join(local.folder, 'cleans.ts');
  const terminal = JSON.stringify(join(projectRoot, 'src/cli/output/terminal.ts'));
  // Each process of the group gets the signal, and the launcher passes it on, so the program may get it twice. The clean-up takes 3 s to
  // leave time for that. It doesn't wait for the second signal, because the system may merge both into one.
  const text = `
    import { interruptible } from ${terminal};
    let count = 0;
    const end = () => { console.log('cleaned up'); process.exit(3); };
    interruptible().addEventListener('abort', () => void setTimeout(end, 3000));
    process.on('SIGINT', () => { if (++count === 2) end(); });
    setInterval(() => {}, 1000);
    console.log('ready');`;
  writeFileSync(file, text);
  const running = startProgram(process.execPath, [join(projectRoot, 'src/cli/launcher/node-runtime.js'), file]);
  await until(() => running.said().includes('ready'), running);
  process.kill(-(running.child.pid as number), 'SIGINT');
  assert.equal(await running.ended, 3, running.said());
  assert.match(running.said(), /cleaned up/);
});
