import { leastWallMs, sextant } from '../processes.ts';
import { limitRow, type Measure } from '../row.ts';

export const help: Measure = async () =>
  limitRow('`sextant --help`, wall', 150, await leastWallMs(10, () => sextant(['--help'])), 'ms');
