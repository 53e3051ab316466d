import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AreaId, areaIds } from '../spec/index.ts';
import { freePortsInARow } from './run-command.ts';
import { environmentText } from './test-environment.ts';

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

export async function localElsewhere(): Promise<LocalElsewhere> {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-command-'));
  const base = await freePortsInARow();
  const addresses = Object.fromEntries(areaIds.map((area, index) => [area, `http://127.0.0.1:${base + index}`]));
  const provisioner = { PROVISION_URL: `http://127.0.0.1:${base + areaIds.length}` };
  const environments = join(folder, 'environments');
  mkdirSync(environments);
  writeFileSync(join(environments, 'local.env'), environmentText(addresses as Record<AreaId, string>, provisioner));
  return {
    base,
    folder,
    environments,
    env: { SEXTANT_ENVIRONMENTS: environments, SEXTANT_OUTPUT: join(folder, 'output') },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
