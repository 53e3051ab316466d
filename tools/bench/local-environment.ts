import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/config/project-root.ts';
import { freePortsInARow } from '../../src/testing/run-command.ts';

/** The text of environment `local` as it is shipped, on free ports. */
export async function localEnvironmentText(): Promise<string> {
  const base = await freePortsInARow();
  const text = readFileSync(join(projectRoot, 'environments', 'local.env'), 'utf8');
  return text.replace(/127\.0\.0\.1:401(\d)/g, (_, last) => `127.0.0.1:${base + Number(last)}`);
}
