import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AreaId, areaIds } from '../../spec/index.ts';
import { environmentText } from '../test-environment.ts';
import { freePortsInARow } from './run-command.ts';

/** A temporary folder for testing a command: environment `local` on free ports, and its output. */
export interface LocalElsewhere {
  /** The first of its consecutive ports: the areas', then the provisioner's. */
  readonly base: number;
  readonly folder: string;
  readonly environments: string;
  /** The process environment for the command. */
  readonly env: Record<string, string>;
  remove(): void;
}

/** The addresses of the areas at consecutive ports. */
export function addressesFrom(base: number): Record<AreaId, string> {
  const pairs = areaIds.map((area, index) => [area, `http://127.0.0.1:${base + index}`]);
  return Object.fromEntries(pairs) as Record<AreaId, string>;
}

/** The text of an environment `local` at these ports. */
export function localText(base: number): string {
  return environmentText(addressesFrom(base), { PROVISION_URL: `http://127.0.0.1:${base + areaIds.length}` });
}

export async function localElsewhere(): Promise<LocalElsewhere> {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-command-'));
  const base = await freePortsInARow();
  const environments = join(folder, 'environments');
  mkdirSync(environments);
  writeFileSync(join(environments, 'local.env'), localText(base));
  return {
    base,
    folder,
    environments,
    env: { SEXTANT_ENVIRONMENTS: environments, SEXTANT_OUTPUT: join(folder, 'output') },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
