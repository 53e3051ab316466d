import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AreaId, areaIds } from '../../src/spec/index.ts';
import { freePortsInARow } from '../../src/testing/run-command.ts';
import { environmentText } from '../../src/testing/test-environment.ts';
import { Copy } from './copy.ts';

/** A copy of the project whose environment `local` has ports that no other run takes. */
export async function copyOnOwnPorts(): Promise<Copy> {
  const copy = new Copy();
  const base = await freePortsInARow();
  const addresses = Object.fromEntries(areaIds.map((area, index) => [area, `http://127.0.0.1:${base + index}`]));
  const provisioner = { PROVISION_URL: `http://127.0.0.1:${base + areaIds.length}` };
  const text = environmentText(addresses as Record<AreaId, string>, provisioner);
  writeFileSync(join(copy.folder, 'environments/local.env'), text);
  return copy;
}
