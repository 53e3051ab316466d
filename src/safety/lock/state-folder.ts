import { join } from 'node:path';
import { workFolder } from '../../environment/project-root.ts';

/** The folder for state that the next run needs: SEXTANT_STATE, otherwise `state` in SEXTANT_OUTPUT, otherwise `.sextant` in the work folder. */
export function stateFolder(env = process.env): string {
  const { SEXTANT_STATE: own, SEXTANT_OUTPUT: output } = env;
  return own || (output ? join(output, 'state') : join(workFolder, '.sextant'));
}
