import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BareRequest } from './bare-requests.ts';
import { type Ended, run } from './processes.ts';
import { Unmeasurable } from './row.ts';

/** Newman in npx's cache: only the bench uses it, so it isn't a dependency. */
export interface Newman {
  readonly version: string;
  run(requests: readonly BareRequest[], iterations: number): Promise<Ended>;
}

/** Finds Newman. @throws Unmeasurable where it can't be had. */
export async function findNewman(folder: string): Promise<Newman> {
  try {
    const found = await run('npx', ['--yes', '--package', 'newman@6', '-c', 'command -v newman && newman --version']);
    const [path = '', version = ''] = found.stdout.trim().split('\n');
    return { version, run: (requests, iterations) => runNewman(path, folder, requests, iterations) };
  } catch (error) {
    throw new Unmeasurable(`Newman can't be had: ${(error as Error).message.split('\n')[0]}`);
  }
}

function runNewman(path: string, folder: string, requests: readonly BareRequest[], iterations: number): Promise<Ended> {
  const file = join(folder, 'collection.json');
  writeFileSync(file, JSON.stringify(collection(requests)));
  return run(process.execPath, [path, 'run', file, '--silent', '--iteration-count', String(iterations)]);
}

function collection(requests: readonly BareRequest[]) {
  return {
    info: { name: 'bench', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    item: requests.map(({ url, method, headers, body }, index) => ({
      name: `${index}`,
      request: {
        url,
        method,
        header: Object.entries(headers).map(([key, value]) => ({ key, value })),
        ...(body === undefined ? {} : { body: { mode: 'raw', raw: body } }),
      },
    })),
  };
}
