import { type Exchange, isSuccess } from '../../client/index.ts';
import { counted } from '../../config/index.ts';
import { Undecided } from '../facts/fact.ts';
import { type Experiment, oneQuestion, withControl } from './experiment.ts';
import { BlockList, type ListId } from './paging/block-list.ts';
import { findCap } from './paging/cap.ts';
import { orderOf, type PageSeen, readMap, readSegments } from './paging/read-segments.ts';

const lists = ['listBlocked', 'listBlockers'] as const;
const ENTRIES = 6;
const LEAST_ENTRIES = 3;
const SEGMENTS = [0, 1, 2, 3, 4];
/** One page with the whole list says nothing of the others. */
const LEAST_PAGES = SEGMENTS.length ** 2 / 2;
/** Waited times are rounded up to this: they are not more precise. */
const STEP_MS = 100;

/** Creates some entries, reads them back with many pairs of numbers, and finds the only meaning that explains all pages. */
const paging: Experiment['run'] = async (runner, { id }) => {
  await withControl(runner, id);
  const list = new BlockList(runner, id as ListId);
  await list.add(ENTRIES, LEAST_ENTRIES);
  const { n1, n2 } = await list.segmentsShowing(list.made);
  const wholeList = await list.read(n1, n2);
  const whole = list.keysIn(wholeList);
  const pages: PageSeen[] = [];
  const seen: Exchange[] = [];
  for (const a of SEGMENTS) {
    for (const b of SEGMENTS) {
      const exchange = await list.read(a, b);
      seen.push(exchange);
      // Other pages may have other fields, such as a link to the next, but all have the list.
      const isPage = exchange.response && isSuccess(id, exchange.response, runner.environment.successWhen);
      if (isPage && list.isIn(exchange)) pages.push({ n1: a, n2: b, entries: list.keysIn(exchange) });
    }
  }
  if (pages.length > LEAST_PAGES && pages.every(({ entries }) => entries.length === whole.length))
    return { answer: 'none: every pair of numbers gives the whole list', seen };
  const found = list.isMap(wholeList) ? readMap(list.made, whole, pages) : readSegments(whole, pages);
  if ('left' in found) {
    const left =
      found.left.length > 0 ? `${found.left.join(' and ')} both explain them` : 'no known meaning explains them';
    throw new Undecided(
      `${counted(pages.length, 'page')} of ${counted(whole.length, 'entry', 'entries')} read: ${left}`,
      seen,
    );
  }
  const { reading } = found;
  const order = orderOf(list.made, found.order ?? whole) ?? 'order undecided';
  const cap = await findCap(list, reading);
  return { answer: `${reading.name}, first index ${reading.first}, ${cap}, ${order}`, seen };
};

/** Blocks three times and reads immediately: how long until the list mentions the block. */
const blockVisible: Experiment['run'] = async (runner, { id }) => {
  await withControl(runner, id);
  const list = new BlockList(runner, id as ListId);
  let longest = 0;
  let isAtOnce = true;
  const seen: Exchange[] = [];
  for (let trial = 0; trial < 3; trial++) {
    const key = await list.renew();
    const { n1, n2, reads, waitedMs } = await list.segmentsShowing([key]);
    seen.push(await list.read(n1, n2));
    if (reads > 1) isAtOnce = false;
    longest = Math.max(longest, waitedMs);
  }
  return { answer: isAtOnce ? 'at once' : `within ${Math.ceil(longest / STEP_MS) * STEP_MS} ms`, seen };
};

export const blockLists: readonly Experiment[] = [
  oneQuestion('paging', lists, paging),
  oneQuestion('block-visible', lists, blockVisible),
];
