import { isLast } from '../status/due-notice.ts';
import type { Notice } from './notice.ts';

/** A notice that includes earlier undelivered ones: without "down", "recovered" would make no sense. */
export function withUndelivered(notice: Notice, undelivered: readonly Notice['kind'][]): Notice {
  if (!isLast(notice.kind) || undelivered.length === 0) return notice;
  const headline = `${notice.headline}; the notice that it was down was not delivered here`;
  return { ...notice, headline, undelivered: [...new Set(undelivered)] };
}
