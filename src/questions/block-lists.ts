import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '../http/index.ts';
import { segmentMeanings } from '../service/index.ts';
import { Undecided } from './asker/asker.ts';
import { BlockEntries } from './paging/block-list.ts';
import { orderOf, type PageSeen, readings, readMap, readSegments } from './paging/read-segments.ts';
import { among, type Hold, once, type Question } from './question.ts';

const isList = among('listBlocked', 'listBlockers');
const ENTRIES = 6;
const LEAST_ENTRIES = 3;
const SEGMENTS = [0, 1, 2, 3, 4];
/**
 * The minimum number of pages. Fewer pages prove little about the two numbers in the path: a page with the whole list, for example, agrees
 * with every meaning of the numbers.
 */
const LEAST_PAGES = SEGMENTS.length ** 2 / 2;

/**
 * Adds entries to the list, and reads it with many pairs of numbers in the path. Finds the meaning of the numbers, if only one meaning
 * explains all pages.
 */
const paging: Question['ask'] = async (asker) => {
  await asker.withControl();
  const list = new BlockEntries(asker);
  await list.add(ENTRIES, LEAST_ENTRIES);
  const { wholeList } = await list.segmentsShowingAll();
  const whole = list.keysIn(wholeList);
  const pages: PageSeen[] = [];
  const seen: Exchange[] = [];
  for (const a of SEGMENTS) {
    for (const b of SEGMENTS) {
      const exchange = await list.read(a, b);
      seen.push(exchange);
      // Uses only the list in a page, because the fields around it may differ between pages, for example a link to the next page.
      if (list.isPage(exchange) && list.isIn(exchange)) pages.push({ n1: a, n2: b, entries: list.keysIn(exchange) });
    }
  }
  if (pages.length > LEAST_PAGES && pages.every(({ entries }) => entries.length === whole.length))
    return { answer: 'none: every pair of numbers gives the whole list', seen };
  const found = list.isMap(wholeList) ? readMap(list.made, whole, pages) : readSegments(whole, pages);
  if ('left' in found) {
    const left =
      found.left.length > 0 ? `${found.left.join(' and ')} both explain them` : 'no known meaning explains them';
    throw new Undecided(`${pages.length} pages of ${whole.length} entries read: ${left}`, seen);
  }
  const { reading } = found;
  const order = orderOf(list.made, found.order ?? whole) ?? 'order undecided';
  return { answer: `${reading.name}, first index ${reading.first}, ${order}`, seen: [wholeList] };
};

const PAIRS = ['0/1', '1/1', '1/2', '2/1', '0/2'];

/** Adds a few entries and reads pages, which must agree with the known meaning of the two numbers in the path. */
const holdPaging: Hold = async (asker, answer) => {
  await asker.withControl();
  const list = new BlockEntries(asker);
  await list.add(LEAST_ENTRIES);
  const { n1, n2, wholeList } = await list.segmentsShowingAll();
  const isMap = list.isMap(wholeList);
  const [, name, first, order] = /^(\S+), first index ([01]), (oldest first|newest first)?/.exec(answer) ?? [];
  // A map may show its entries sorted by name, although the service cuts pages in the order of creation. So the entries of a map are
  // compared in the order of creation.
  const created = order === 'newest first' ? list.made.toReversed() : list.made;
  const shown = list.keysIn(wholeList);
  const whole = isMap && shown.every((key) => created.includes(key)) ? created : shown;
  const keysIn = (exchange: Exchange) =>
    isMap ? whole.filter((key) => list.keysIn(exchange).includes(key)) : list.keysIn(exchange);
  const reading = readings.find((each) => each.name === name && each.first === Number(first));
  if (order && orderOf(list.made, whole) !== order)
    return { answer: `${orderOf(list.made, whole) ?? 'no order'}, not ${order}`, seen: [wholeList] };
  for (const pair of PAIRS) {
    const [a = 0, b = 0] = pair.split('/').map(Number);
    const range = reading ? reading.window(a, b) : ([0, whole.length] as const);
    if (!range) continue;
    const exchange = await list.read(a, b);
    if (asker.outcome(exchange).kind !== 'accepted') continue;
    const [page, expected] = [keysIn(exchange), whole.slice(...range)];
    if (isDeepStrictEqual(page, expected)) continue;
    // Reads the whole list again: if another user has changed it meanwhile, the unexpected page proves nothing.
    if (!isDeepStrictEqual(keysIn(await list.read(n1, n2)), whole))
      throw new Undecided('the list changed while it was read', [exchange]);
    return { answer: `unexpected entries at ${pair}: ${page.length} instead of ${expected.length}`, seen: [exchange] };
  }
  return { answer, seen: [wholeList] };
};

const PAGING = `(${segmentMeanings.map(({ name }) => name).join('|')}), first index [01], `;

export const blockLists: readonly Question[] = [
  {
    id: 'paging',
    of: once('paging', isList),
    openIn: 'part 4, rule 6: the meaning of the two numeric path segments is not shown',
    answers: 'what the two numbers mean, where counting begins, and the order of entries',
    form: new RegExp(
      `^(none: every pair of numbers gives the whole list|${PAGING}(newest first|oldest first|order undecided))$`,
    ),
    broken: ({ was, now }) => [`no longer pages by ${was.replace(/^none: /, '')}: ${now}`, 'it did'],
    experiment: 'a few blocks, and the list read with many pairs of numbers, until one meaning explains every page',
    effect: 'reversible',
    ask: paging,
    hold: holdPaging,
  },
];
