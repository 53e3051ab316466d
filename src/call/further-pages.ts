import { type Exchange, entryCount, leaves } from '../http/index.ts';
import {
  largerSegment,
  type Segment,
  type SegmentMeaning,
  segmentMeaningOf,
  segmentMeanings,
} from '../service/index.ts';

/** Maximum number of pages of one list. */
const MOST_PAGES = 50;

type Segments = Readonly<Record<Segment, string>>;

/**
 * The possible meanings of the two numbers in the path of a list, one of which is the page size. If a fact states the meaning, only this
 * one is possible. Otherwise the larger number must be the page size.
 */
function meaningsBy(fact: string | undefined, segments: Segments): readonly SegmentMeaning[] {
  const known = segmentMeaningOf(fact);
  return known ? [known] : segmentMeanings.filter(({ size }) => size === largerSegment(segments));
}

/**
 * Reads the next pages of a list that may be cut, until a page brings nothing new; `undefined` if no page could be read. `read` returns `undefined`
 * if the service refuses a page.
 */
export async function furtherPages(
  first: Exchange,
  segments: Segments,
  fact: string | undefined,
  read: (segments: Segments) => Promise<Exchange | undefined>,
): Promise<Exchange[] | undefined> {
  const size = entryCount(jsonOf(first)) ?? 0;
  const start = [Number(segments.n1), Number(segments.n2)] as const;
  const seen = textsIn(first);
  let isRead = false;
  for (const { pageAt } of meaningsBy(fact, segments)) {
    const readPages: Exchange[] = [];
    for (let index = 1; index < MOST_PAGES; index++) {
      const [n1, n2] = pageAt(start, index, size);
      const page = await read({ n1: String(n1), n2: String(n2) });
      if (!page) break;
      isRead = true;
      const fresh = textsIn(page).difference(seen);
      if ((entryCount(jsonOf(page)) ?? 0) === 0 || fresh.size === 0) break;
      for (const text of fresh) seen.add(text);
      readPages.push(page);
    }
    if (readPages.length > 0) return readPages;
  }
  return isRead ? [] : undefined;
}

function jsonOf({ response }: Exchange): unknown {
  return response?.body.json.ok ? response.body.json.value : undefined;
}

function textsIn(exchange: Exchange): Set<string> {
  return new Set([...leaves(jsonOf(exchange))].map(({ text }) => text));
}
