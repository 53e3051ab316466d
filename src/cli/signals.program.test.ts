import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, suite, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { spawn as spawnOnTerminal } from '@lydell/node-pty';
import { startService } from '../../reference-service/index.ts';
import { projectRoot } from '../config/project-root.ts';
import { leftAfter, plainEnvironment, processesWith } from '../testing/programs/child.ts';
import { endings, type Signal, signals, ways } from '../testing/programs/endings.ts';
import { localElsewhere } from '../testing/programs/run-command.ts';

const command = join(projectRoot, 'node_modules', '.bin', 'sextant');
const oldNode = '/usr/bin/node';
const starts = {
  npx: ['npx', 'sextant'],
  native: [process.execPath, command],
  launcher: [oldNode, command],
  entrypoint: [process.execPath, join(projectRoot, 'deploy', 'entrypoint.js')],
} as const;

const local = await localElsewhere();
const service = await startService({ port: local.base });
after(() => service.stop());

/** A monitor that was started in one of the ways. */
class Started {
  readonly #id = randomUUID();
  /** The variable that each process has that was started for it. */
  readonly mark = `SEXTANT_TEST_ROW=${this.#id}`;
  readonly folder = join(local.folder, this.#id);
  said = '';
  /** Sends it a signal. */
  readonly end: (signal: Signal) => void;

  constructor({ start, isTerminal }: (typeof ways)[number]) {
    const { folder } = this;
    mkdirSync(folder);
    writeFileSync(join(folder, 'settings.env'), '');
    const [file, ...first] = starts[start];
    const files = ['--settings', join(folder, 'settings.env'), '--data', folder];
    const args = [...first, 'monitor', '--area', 'storage', '--env', 'local', '--port', '0', ...files, '--yes'];
    const env = {
      ...plainEnvironment(),
      ...local.env,
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      SEXTANT_STATE: join(folder, 'state'),
      SEXTANT_TEST_ROW: this.#id,
      TMPDIR: folder,
    };
    const heard = (text: string | Buffer) => {
      this.said += text;
    };
    if (isTerminal) {
      const pty = spawnOnTerminal(file, args, { cwd: projectRoot, env: env as Record<string, string> });
      pty.onData(heard);
      this.end = (signal) => {
        if (signal === 'SIGINT') pty.write('\x03');
        else if (signal === 'SIGHUP') (pty as unknown as { destroy(): void }).destroy();
        else process.kill(pty.pid, signal);
      };
    } else {
      const child = spawn(file, args, { cwd: projectRoot, env, stdio: ['ignore', 'pipe', 'pipe'] });
      for (const stream of [child.stdout, child.stderr]) stream.on('data', heard);
      this.end = (signal) => child.kill(signal);
    }
  }

  async isUp(): Promise<void> {
    for (const since = performance.now(); !this.said.includes('Press Ctrl-C'); await wait(50))
      assert.ok(performance.now() - since < 60_000, this.said);
  }

  kill(): void {
    for (const pid of processesWith(this.mark)) process.kill(pid, 'SIGKILL');
  }
}

for (const way of ways) {
  const lacks = way.start === 'launcher' && !existsSync(oldNode) && `needs ${oldNode}`;
  const skip = process.platform === 'linux' ? lacks : 'looks for processes in /proc';
  suite(way.name, { skip, concurrency: 2 }, () => {
    for (const signal of signals) {
      const ending = way.ends[signal];
      test(`${signal} leaves ${endings[ending]}`, async () => {
        const started = new Started(way);
        try {
          await started.isUp();
          const before = processesWith(started.mark);
          started.end(signal);
          assert.deepEqual(await leftAfter(2, started.mark), ending === 'on' ? before : [], started.said);
          // SQLite takes its log away when the history is closed.
          const isClosed = !readdirSync(started.folder).some((name) => name.endsWith('-wal'));
          assert.equal(isClosed, ending === 'clean', started.said);
        } finally {
          started.kill();
        }
      });
    }
  });
}
