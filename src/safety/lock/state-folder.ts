import { join } from 'node:path';
import { workFolder } from '../../environment/project-root.ts';

/** State that the next run needs: SEXTANT_STATE, otherwise `.sextant` next to the program, or `state` in SEXTANT_OUTPUT. */
export function stateFolder(env = process.env): string {
  const { SEXTANT_STATE: own, SEXTANT_OUTPUT: output } = env;
  return own || (output ? join(output, 'state') : join(workFolder, '.sextant'));
}
