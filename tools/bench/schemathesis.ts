import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { run } from './processes.ts';
import { Unmeasurable } from './row.ts';

const VERSION = '4.32.5';

export interface Schemathesis {
  readonly version: string;
  /** What fails, as `ST204 POST /v1/friends/block`. */
  run(document: string, headers: Readonly<Record<string, string>>): Promise<string[]>;
}

/** Finds Schemathesis in the PATH, or installs it. @throws Unmeasurable where it can't be had. */
export async function findSchemathesis(folder: string): Promise<Schemathesis> {
  const program = await programIn(folder);
  const report = join(folder, 'schemathesis.json');
  return {
    version: VERSION,
    run: async (document, headers) => {
      // From a file it would send everything to one address.
      const server = http.createServer((_, response) => {
        response.setHeader('content-type', 'application/json').end(document);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/openapi.json`;
      const given = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
      const options = ['--seed', '1', '--max-examples', '20', '--continue-on-failure', '--report-json-path', report];
      try {
        // It keeps a folder where it is started, and ends with 1 where it found something.
        await run('sh', ['-c', 'cd "$0" && "$@" || [ $? = 1 ]', folder, program, 'run', url, ...options, ...given]);
      } finally {
        server.close();
      }
      return failuresIn(JSON.parse(readFileSync(report, 'utf8')));
    },
  };
}

async function programIn(folder: string): Promise<string> {
  const venv = join(folder, 'venv');
  try {
    const { stdout } = await run('sh', ['-c', 'command -v schemathesis && schemathesis --version']);
    if (stdout.includes(VERSION)) return stdout.split('\n')[0] as string;
  } catch {
    // Installed below.
  }
  try {
    await run('python3', ['-m', 'venv', venv]);
    await run(join(venv, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${VERSION}`]);
    return join(venv, 'bin', 'schemathesis');
  } catch (error) {
    throw new Unmeasurable(`Schemathesis ${VERSION} can't be had: ${(error as Error).message.split('\n')[0]}`);
  }
}

interface Report {
  readonly complete: boolean;
  readonly failures: readonly { readonly code: string; readonly operations: readonly string[] }[];
}

function failuresIn({ complete, failures }: Report): string[] {
  if (!complete) throw new Error('Schemathesis did not end its run');
  return failures.flatMap(({ code, operations }) => operations.map((operation) => `${code} ${operation}`));
}
