import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '../../client/index.ts';
import { withControl } from '../experiments/experiment.ts';
import { BlockList, type ListId } from '../experiments/paging/block-list.ts';
import { orderOf } from '../experiments/paging/read-segments.ts';
import { readings } from '../experiments/paging/window.ts';
import { Undecided } from '../facts/fact.ts';
import type { Probe } from './probe.ts';

const ENTRIES = 3;
const PAIRS = [
  [0, 1],
  [1, 1],
  [1, 2],
  [2, 1],
  [0, 2],
] as const;

/** Creates a few entries and reads pages of them, which must match the known meaning of the two numbers. */
export const paging: Probe = async (runner, { id }, { answer }) => {
  await withControl(runner, id);
  const list = new BlockList(runner, id as ListId);
  await list.add(ENTRIES);
  const { n1, n2 } = await list.segmentsShowing(list.made);
  const wholeList = await list.read(n1, n2);
  const isMap = list.isMap(wholeList);
  const [, name, first, order] = /^(\S+), first index ([01]), .*?(oldest first|newest first)?$/.exec(answer) ?? [];
  // A map may show its entries by name; what is on a page is compared in the order that they were created in.
  const created = order === 'newest first' ? list.made.toReversed() : list.made;
  const shown = list.keysIn(wholeList);
  const whole = isMap && shown.every((key) => created.includes(key)) ? created : shown;
  const keysIn = (exchange: Exchange) =>
    isMap ? whole.filter((key) => list.keysIn(exchange).includes(key)) : list.keysIn(exchange);
  const reading = readings.find((each) => each.name === name && each.first === Number(first));
  if (order && orderOf(list.made, whole) !== order)
    return { answer: `${orderOf(list.made, whole) ?? 'no order'}, not ${order}`, seen: [wholeList] };
  for (const [a, b] of PAIRS) {
    const range = reading ? reading.window(a, b) : ([0, whole.length] as const);
    if (!range) continue;
    const exchange = await list.read(a, b);
    if (runner.outcome(id, exchange).kind !== 'accepted') continue;
    const [page, expected] = [keysIn(exchange), whole.slice(...range)];
    if (isDeepStrictEqual(page, expected)) continue;
    // Another user may have changed the list meanwhile.
    if (!isDeepStrictEqual(keysIn(await list.read(n1, n2)), whole))
      throw new Undecided('the list changed while it was read', [exchange]);
    return {
      answer: `unexpected entries at ${a}/${b}: ${page.length} instead of ${expected.length}`,
      seen: [exchange],
    };
  }
  return { answer, seen: [wholeList] };
};
