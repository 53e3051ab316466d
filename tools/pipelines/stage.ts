import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Service, seeded, startService } from '../../reference-service/index.ts';
import { projectRoot } from '../../src/config/project-root.ts';
import { environmentText, seededData } from '../../src/testing/test-environment.ts';

export interface Ran {
  readonly code: number | null;
  /** Both streams. */
  readonly said: string;
}

type Keys = Readonly<Record<string, string | undefined>>;

/** A service, environments that point at it, and fresh clones of the committed project: what a pipeline's jobs have. */
export class Stage {
  readonly folder = mkdtempSync(join(tmpdir(), 'sextant-pipelines-'));
  readonly service: Service;
  #clones = 0;

  private constructor(service: Service) {
    this.service = service;
    this.environment('down', { STORED_ITEM_IDS: undefined }, 'http://127.0.0.1:9');
  }

  static async open(): Promise<Stage> {
    return new Stage(await startService({ port: 0, quiet: true }));
  }

  async close(): Promise<void> {
    await this.service.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Writes an environment whose tests share the seeded users; `PROVISION_URL` in `keys` gives each its own. */
  environment(name: string, keys: Keys = {}, addresses: Service['addresses'] | string = this.service.addresses): void {
    const own = {
      FRIEND_ACCESS_TOKEN: seeded.friend.accessToken,
      STORED_ITEM_IDS: seeded.items.join(','),
      SLOW_AFTER_MS: '600000',
    };
    mkdirSync(join(this.folder, 'environments'), { recursive: true });
    const text = environmentText(addresses, { ...seededData, ...own, ...keys });
    writeFileSync(join(this.folder, 'environments', `${name}.env`), text);
  }

  /** New stored items of the seeded user. */
  async items(count: number): Promise<string[]> {
    const response = await fetch(`${this.service.provisionUrl.replace(/\/$/, '')}/items`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ userId: seeded.caller.userId, count }),
    });
    return ((await response.json()) as { readonly itemIds: string[] }).itemIds;
  }

  /** A fresh clone of the last commit; its packages are hard links. Returns its folder. */
  clone(): string {
    const folder = join(this.folder, `clone-${++this.#clones}`);
    execFileSync('git', ['clone', '-q', '--depth', '1', `file://${projectRoot}`, folder]);
    execFileSync('cp', ['-al', join(projectRoot, 'node_modules'), join(folder, 'node_modules')]);
    return folder;
  }

  /** Runs a shell line in a clone as a job of a pipeline does: with the machine's own Node, and nothing else of this process. */
  async run(clone: string, line: string, env: Readonly<Record<string, string>> = {}): Promise<Ran> {
    const path = (process.env.PATH ?? '').split(delimiter).filter((each) => !each.includes('node_modules'));
    const child = spawn('bash', ['-c', line], {
      cwd: clone,
      env: {
        PATH: path.join(delimiter),
        HOME: join(this.folder, 'home'),
        LANG: 'C.UTF-8',
        NO_COLOR: '1',
        CI: 'true',
        SEXTANT_ENVIRONMENTS: join(this.folder, 'environments'),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, said: Buffer.concat(said).toString() };
  }
}
