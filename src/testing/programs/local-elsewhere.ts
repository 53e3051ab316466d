import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AreaId, areaIds } from '../../spec/index.ts';
import { ownFolder } from '../own-folder.ts';
import { environmentText } from '../test-environment.ts';
import { freePortsInARow } from './run-command.ts';

/** A folder of one's own for testing a command: environment `local` on free ports, and its output. */
export interface LocalElsewhere {
  /** The first of its consecutive ports: the areas', then the provisioner's. */
  readonly base: number;
  readonly folder: string;
  readonly environments: string;
  /** The process environment for the command. */
  readonly env: Record<string, string>;
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
  const folder = ownFolder();
  const base = await freePortsInARow();
  const environments = join(folder, 'environments');
  mkdirSync(environments);
  writeFileSync(join(environments, 'local.env'), localText(base));
  return {
    base,
    folder,
    environments,
    env: { SEXTANT_ENVIRONMENTS: environments, SEXTANT_OUTPUT: join(folder, 'output') },
  };
}
