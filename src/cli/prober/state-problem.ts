import { existsSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { assertWritableFolder, FileTrouble, fileRoles, readTextIfAny } from '../../config/files/index.ts';
import { whyStateIsLost } from '../../prober/index.ts';
import { stateFolder } from '../../scenario/index.ts';

/** Why the undo of a change can't be noted so that a later process finds it; `undefined` if it can. */
export function stateProblem(folder = stateFolder()): string | undefined {
  try {
    assertWritableFolder(folder, fileRoles.state);
  } catch (error) {
    if (error instanceof FileTrouble) return error.message;
    throw error;
  }
  const why = whyStateIsLost(mountInfo(), realpathSync(existing(folder)));
  return why && `${folder} ${why}`;
}

/** Empty where the platform has none. */
function mountInfo(): string {
  try {
    return readTextIfAny('/proc/self/mountinfo', fileRoles.state) ?? '';
  } catch (error) {
    if (error instanceof FileTrouble) return '';
    throw error;
  }
}

function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder));
}
