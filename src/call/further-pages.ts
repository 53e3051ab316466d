import { type Exchange, entryCount, leaves } from '../http/index.ts';

/** A list with fewer entries counts as complete, because hardly any service cuts one. */
export const LEAST_PAGE = 10;

/** More pages are not read. */
const MOST_PAGES = 50;

interface Segments {
  readonly n1: string;
  readonly n2: string;
}

/** The segments of page `index` (from 0) of `size` entries, where those of the first page are given. */
type PageAt = (first: { readonly n1: number; readonly n2: number }, index: number, size: number) => [number, number];

/** By the name of a meaning in the fact about paging. */
const meanings: Readonly<Record<string, PageAt>> = {
  'offset/limit': ({ n1, n2 }, index, size) => [n1 + index * size, n2],
  'limit/offset': ({ n1, n2 }, index, size) => [n1, n2 + index * size],
  'page/size': ({ n1 }, index, size) => [n1 + index, size],
  'size/page': ({ n2 }, index, size) => [size, n2 + index],
  'from/to': ({ n1, n2 }, index, size) => [n1 + index * size, n2 + index * size],
};

/** The meanings to try: that of the fact, or both where the larger number is the size. */
function meaningsBy(fact: string | undefined, { n1, n2 }: Segments): readonly PageAt[] {
  const [known] = Object.entries(meanings).filter(([name]) => fact?.startsWith(name));
  if (known) return [known[1]];
  const names = Number(n1) > Number(n2) ? ['limit/offset', 'size/page'] : ['offset/limit', 'page/size'];
  return names.flatMap((name) => meanings[name] ?? []);
}

/**
 * The next pages of a list that may be cut, until one brings nothing new; `undefined` if none of them could be read. A page is read with
 * `read`, which returns `undefined` for a refusal.
 */
export async function furtherPages(
  first: Exchange,
  segments: Segments,
  fact: string | undefined,
  read: (segments: Segments) => Promise<Exchange | undefined>,
): Promise<Exchange[] | undefined> {
  const size = entryCount(jsonOf(first)) ?? 0;
  const start = { n1: Number(segments.n1), n2: Number(segments.n2) };
  const seen = textsIn(first);
  let isRead = false;
  for (const pageAt of meaningsBy(fact, segments)) {
    const found: Exchange[] = [];
    for (let index = 1; index < MOST_PAGES; index++) {
      const [n1, n2] = pageAt(start, index, size);
      const page = await read({ n1: String(n1), n2: String(n2) });
      if (!page) break;
      isRead = true;
      const fresh = textsIn(page).difference(seen);
      if ((entryCount(jsonOf(page)) ?? 0) === 0 || fresh.size === 0) break;
      for (const text of fresh) seen.add(text);
      found.push(page);
    }
    if (found.length > 0) return found;
  }
  return isRead ? [] : undefined;
}

function jsonOf({ response }: Exchange): unknown {
  return response?.body.json.ok ? response.body.json.value : undefined;
}

function textsIn(exchange: Exchange): Set<string> {
  return new Set([...leaves(jsonOf(exchange))].map(({ text }) => text));
}
