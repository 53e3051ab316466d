import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { localText } from '../../src/testing/local-elsewhere.ts';
import { freePortsInARow } from '../../src/testing/run-command.ts';
import { Copy } from './copy.ts';

/** A copy of the project whose environment `local` has ports that no other run takes. */
export async function copyOnOwnPorts(): Promise<Copy> {
  const copy = new Copy();
  writeFileSync(join(copy.folder, 'environments/local.env'), localText(await freePortsInARow()));
  return copy;
}
