import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { captureCheck } from '../capture.ts';
import { localEnvironmentText } from '../local-environment.ts';
import { findNewman } from '../newman.ts';
import { leastWallMs, sextant } from '../processes.ts';
import { type Measure, ratioRow } from '../row.ts';

const TIMES = 5;

/** Both do the same requests: Newman those that a check of `local` made. Ours starts and stops its service as well. */
export const wholeCheck: Measure = async ({ env, folder, serving }) => {
  const newman = await findNewman(folder);
  writeFileSync(join(folder, 'local.env'), await localEnvironmentText());
  const requests = await captureCheck(serving);
  let ours = Number.POSITIVE_INFINITY;
  let theirs = Number.POSITIVE_INFINITY;
  // In turn, so that both have the same neighbours on the machine.
  for (let index = 0; index < TIMES; index++) {
    ours = Math.min(ours, await leastWallMs(1, () => sextant(['check', '--env', 'local'], env)));
    theirs = Math.min(theirs, await leastWallMs(1, () => newman.run(requests, 1)));
  }
  const what = `a whole \`check --env local\`, against Newman with the same ${requests.length} requests, wall`;
  return ratioRow(what, 0.4, ours, theirs, 'ms', `newman ${newman.version}`);
};
