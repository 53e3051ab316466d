import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '../../client/index.ts';
import { type Asker, Undecided } from './asker/asker.ts';
import { type BlockList, blockListOf } from './paging/block-list.ts';
import { orderOf, type PageSeen, type Reading, readings, readMap, readSegments } from './paging/read-segments.ts';
import { among, type Hold, once, type Question } from './question.ts';

const isList = among('listBlocked', 'listBlockers');
const ENTRIES = 6;
const LEAST_ENTRIES = 3;
const SEGMENTS = [0, 1, 2, 3, 4];
/** One page with the whole list says nothing of the others. */
const LEAST_PAGES = SEGMENTS.length ** 2 / 2;
/** Waited times are rounded up to this: they are not more precise. */
const STEP_MS = 100;

/** Creates some entries, reads them back with many pairs of numbers, and finds the only meaning that explains all pages. */
const paging: Question['ask'] = async (asker) => {
  await asker.withControl();
  const list = blockListOf(asker);
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
  const cap = await findCap(list, reading);
  return { answer: `${reading.name}, first index ${reading.first}, ${cap}, ${order}`, seen };
};

/** Blocks three times and reads immediately: how long until the list mentions the block, and how long it surely did not. */
async function lagOf(asker: Asker) {
  await asker.withControl();
  const list = blockListOf(asker);
  let longest = 0;
  let missed: number | undefined;
  const seen: Exchange[] = [];
  for (let trial = 0; trial < 3; trial++) {
    const key = await list.renew();
    const { n1, n2, isLate, waitedMs, missedMs = isLate ? 0 : undefined } = await list.segmentsShowing([key]);
    seen.push(await list.read(n1, n2));
    if (missedMs !== undefined) missed = Math.max(missed ?? 0, missedMs);
    longest = Math.max(longest, waitedMs);
  }
  return {
    answer: missed === undefined ? 'at once' : `within ${Math.ceil(longest / STEP_MS) * STEP_MS} ms`,
    missed,
    seen,
  };
}

const PAIRS = ['0/1', '1/1', '1/2', '2/1', '0/2'];

/** Creates a few entries and reads pages of them, which must match the known meaning of the two numbers. */
const holdPaging: Hold = async (asker, answer) => {
  await asker.withControl();
  const list = blockListOf(asker);
  await list.add(LEAST_ENTRIES);
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
  for (const pair of PAIRS) {
    const [a = 0, b = 0] = pair.split('/').map(Number);
    const range = reading ? reading.window(a, b) : ([0, whole.length] as const);
    if (!range) continue;
    const exchange = await list.read(a, b);
    if (asker.outcome(exchange).kind !== 'accepted') continue;
    const [page, expected] = [keysIn(exchange), whole.slice(...range)];
    if (isDeepStrictEqual(page, expected)) continue;
    // Another user may have changed the list meanwhile.
    if (!isDeepStrictEqual(keysIn(await list.read(n1, n2)), whole))
      throw new Undecided('the list changed while it was read', [exchange]);
    return { answer: `unexpected entries at ${pair}: ${page.length} instead of ${expected.length}`, seen: [exchange] };
  }
  return { answer, seen: [wholeList] };
};

/** How much longer a list may lag than a survey saw it, in ms: three looks don't show the longest lag. */
const MORE_LAG_MS = 500;

const holdVisible: Hold = async (asker, answer) => {
  const { missed = 0, ...found } = await lagOf(asker);
  const known = Number(/^within (\d+) ms$/.exec(answer)?.[1] ?? 0);
  return missed <= 2 * known + MORE_LAG_MS ? { ...found, answer } : found;
};

const PAGING = `(offset/limit|limit/offset|page/size|size/page|from/to), first index [01], `;

export const blockLists: readonly Question[] = [
  {
    id: 'paging',
    of: once('paging', isList),
    openIn: 'part 4, rule 6: the meaning of the two numeric path segments is not shown',
    answers: 'what the two numbers mean, where counting begins, how long a page can be, and the order of entries',
    form: new RegExp(
      `^(none: every pair of numbers gives the whole list|${PAGING}(no cap up to \\d+|cap \\d+|cap undecided), (newest first|oldest first|order undecided))$`,
    ),
    experiment: 'some entries that are made for that, read with many pairs of numbers: one meaning explains all pages',
    effect: 'reversible',
    ask: paging,
    hold: holdPaging,
  },
  {
    id: 'block-visible',
    of: once('block-visible', isList),
    openIn: 'parts 3 and 8: neither states nor limits are shown',
    answers: 'at once, or within so many ms',
    form: /^(at once|within \d+ ms)$/,
    experiment: 'three blocks, after each of which the list is read until it mentions it',
    effect: 'reversible',
    ask: lagOf,
    hold: holdVisible,
  },
];

/** List sizes to try, step by step, until a page doesn't contain all entries. */
const STEPS = [30, 60, 120] as const;
const LARGE = 1_000;

async function findCap(list: BlockList, reading: Reading): Promise<string> {
  for (const step of STEPS) {
    const before = list.made.length;
    await list.add(step - before, 0);
    if (list.made.length === before) break;
    const found = await capAmong(list, reading);
    if (found !== undefined) return found;
  }
  return `no cap up to ${list.made.length}`;
}

async function capAmong(list: BlockList, reading: Reading): Promise<string | undefined> {
  const deadline = performance.now() + list.requests.environment.consistencyTimeoutMs;
  const read = async (index: number, size: number) => list.keysIn(await list.read(...pageAt(reading, index, size)));
  const holdsAll = (keys: readonly string[]) => list.made.every((key) => keys.includes(key));
  for (;;) {
    const page = await read(0, LARGE);
    if (holdsAll(page)) return undefined;
    // A list may lag: a page was cut off only if every entry appears on some page.
    if (page.length > 0 && holdsAll(await allPages(page, read))) {
      const again = await read(0, LARGE);
      if (again.length === page.length) return `cap ${page.length}`;
    }
    if (performance.now() > deadline) return 'cap undecided';
    await list.requests.pause(100);
  }
}

/** All entries, page by page, with pages of the first one's length; of a list that has no end, the first ones. */
async function allPages(first: readonly string[], read: (index: number, size: number) => Promise<string[]>) {
  const all = new Set(first);
  const size = first.length;
  for (let index = size; index < LARGE; index += size) {
    const known = all.size;
    for (const key of await read(index, size)) all.add(key);
    // A page without new entries is the end, or not a page.
    if (all.size === known) break;
  }
  return [...all];
}

/** The segments of the page starting at `index` (from 0), a multiple of `size`. */
function pageAt({ name, first }: Reading, index: number, size: number): [number, number] {
  const page = index / size + first;
  switch (name) {
    case 'offset/limit':
      return [index + first, size];
    case 'limit/offset':
      return [size, index + first];
    case 'page/size':
      return [page, size];
    case 'size/page':
      return [size, page];
    default:
      return [index + first, index + size];
  }
}
