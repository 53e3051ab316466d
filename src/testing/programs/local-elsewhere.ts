import { type AreaId, areaIds } from '../../spec/index.ts';
import { ownEnvironments } from '../own-folder.ts';
import { environmentText } from '../test-environment.ts';
import { freePortsInARow } from './run-command.ts';

/** The addresses of the areas at consecutive ports. */
export function addressesFrom(base: number): Record<AreaId, string> {
  const pairs = areaIds.map((area, index) => [area, `http://127.0.0.1:${base + index}`]);
  return Object.fromEntries(pairs) as Record<AreaId, string>;
}

/** A folder of one's own for testing a command: environment `local` on free ports, and its output. */
export async function localElsewhere() {
  /** The first of its consecutive ports: the areas', then the provisioner's. */
  const base = await freePortsInARow();
  const provisioner = { PROVISION_URL: `http://127.0.0.1:${base + areaIds.length}` };
  return { base, ...ownEnvironments({ local: environmentText(addressesFrom(base), provisioner) }) };
}
