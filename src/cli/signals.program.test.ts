import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { spawn as spawnOnTerminal } from '@lydell/node-pty';
import { startService } from '../../reference-service/index.ts';
import { projectRoot } from '../config/project-root.ts';
import { endings, type Signal, signals, ways } from '../testing/endings.ts';
import { type LocalElsewhere, localElsewhere } from '../testing/local-elsewhere.ts';
import { plainEnvironment } from '../testing/plain-environment.ts';
import { processesWith } from '../testing/processes-with.ts';

const ENDS_WITHIN_MS = 2_000;

const command = join(projectRoot, 'node_modules', '.bin', 'sextant');
const oldNode = '/usr/bin/node';
const starts = {
  npx: ['npx', 'sextant'],
  native: [process.execPath, command],
  launcher: [oldNode, command],
  entrypoint: ['/bin/sh', join(projectRoot, 'deploy', 'entrypoint.sh')],
} as const;

let local: LocalElsewhere;
let service: Awaited<ReturnType<typeof startService>>;
before(async () => {
  local = await localElsewhere();
  service = await startService({ port: local.base });
});
after(async () => {
  await service.stop();
  local.remove();
});

/** A monitor that was started in one of the ways. */
class Started {
  readonly #id = randomUUID();
  #text = '';
  #signal: (signal: Signal) => void = () => {};

  constructor({ start, isTerminal }: (typeof ways)[number]) {
    const folder = join(local.folder, this.#id);
    mkdirSync(folder);
    writeFileSync(join(folder, 'settings.env'), '');
    const [file, ...first] = starts[start];
    const rest = [
      '--env',
      'local',
      '--port',
      '0',
      '--settings',
      join(folder, 'settings.env'),
      '--data',
      folder,
      '--yes',
    ];
    const args = [...first, 'monitor', '--area', 'storage', ...rest];
    const env = {
      ...plainEnvironment(),
      ...local.env,
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      SEXTANT_STATE: join(folder, 'state'),
      SEXTANT_TEST_ROW: this.#id,
      TMPDIR: folder,
    };
    const heard = (text: string | Buffer) => {
      this.#text += text;
    };
    if (isTerminal) {
      const pty = spawnOnTerminal(file, args, { cwd: projectRoot, env: env as Record<string, string> });
      pty.onData(heard);
      this.#signal = (signal) => {
        if (signal === 'SIGINT') pty.write('\x03');
        else if (signal === 'SIGHUP') (pty as unknown as { destroy(): void }).destroy();
        else process.kill(pty.pid, signal);
      };
    } else {
      const child = spawn(file, args, { cwd: projectRoot, env, stdio: ['ignore', 'pipe', 'pipe'] });
      for (const stream of [child.stdout, child.stderr]) stream.on('data', heard);
      this.#signal = (signal) => child.kill(signal);
    }
  }

  get said(): string {
    return this.#text;
  }

  end(signal: Signal): void {
    this.#signal(signal);
  }

  /** The processes that have this one's environment: whatever was started for it. */
  alive(): number[] {
    return processesWith(`SEXTANT_TEST_ROW=${this.#id}`);
  }

  kill(): void {
    for (const pid of this.alive()) process.kill(pid, 'SIGKILL');
  }
}

async function until(condition: () => boolean, longestMs: number): Promise<boolean> {
  for (const since = performance.now(); !condition(); await wait(50))
    if (performance.now() - since > longestMs) return false;
  return true;
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
          assert.ok(await until(() => started.said.includes('Press Ctrl-C'), 60_000), started.said);
          const before = started.alive();
          started.end(signal);
          const isOver = await until(() => started.alive().length === 0, ENDS_WITHIN_MS);
          assert.deepEqual(started.alive(), isOver ? [] : before);
          assert.equal(isOver, ending !== 'on', started.said);
          // What is written to a closed terminal reaches nobody.
          if (!way.isTerminal || signal !== 'SIGHUP')
            assert.equal(started.said.includes('The history is complete.'), ending === 'clean', started.said);
        } finally {
          started.kill();
        }
      });
    }
  });
}
