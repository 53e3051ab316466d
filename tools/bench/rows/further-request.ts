import { seeded } from '../../../reference-service/index.ts';
import { findNewman } from '../newman.ts';
import { benchPlaywright } from '../playwright.ts';
import { type Measure, ratioRow } from '../row.ts';

const [FEW, MANY] = [20, 520];
const TIMES = 3;

/** The same list is asked for again and again, in one test and in one collection. */
export const furtherRequest: Measure = async ({ folder, serving }) => {
  const newman = await findNewman(folder);
  const { caller, client } = seeded;
  const list = {
    url: `${serving.addresses.friends}/v1/friends/block/0/100`,
    method: 'GET',
    headers: {
      authorization: `bearer ${caller.accessToken}`,
      'mm-client-id': client.clientId,
      'mm-user-id': caller.userId,
    },
  };
  const least = {
    ours: { few: Number.POSITIVE_INFINITY, many: Number.POSITIVE_INFINITY },
    theirs: { few: Number.POSITIVE_INFINITY, many: Number.POSITIVE_INFINITY },
  };
  for (let index = 0; index < TIMES; index++)
    for (const [name, count] of [
      ['few', FEW],
      ['many', MANY],
    ] as const) {
      least.ours[name] = Math.min(least.ours[name], (await benchPlaywright(serving, count)).wallMs);
      least.theirs[name] = Math.min(least.theirs[name], (await newman.run([list], count)).wallMs);
    }
  const cost = ({ few, many }: { few: number; many: number }) => (many - few) / (MANY - FEW);
  return ratioRow(
    "a further request of the Playwright suite, against Newman's, wall",
    0.2,
    cost(least.ours),
    cost(least.theirs),
    'ms',
    `newman ${newman.version}`,
  );
};
