import type { Incident } from './incident.ts';

export const noticeKinds = ['down', 'more', 'still', 'up'] as const;

/** down: something broke · more: further scenarios went down · still: a reminder · up: everything recovered. */
export type NoticeKind = (typeof noticeKinds)[number];

/** The notifications of an incident so far. */
export interface Notified {
  readonly down: boolean;
  readonly up: boolean;
  /** Number of hits at the last notification. */
  readonly hits: number;
  /** Time of the last notification; epoch, in ms. */
  readonly lastAt: number;
}

export const neverNotified: Notified = { down: false, up: false, hits: 0, lastAt: 0 };

export interface NotificationPolicy {
  readonly remindAfterMs: number;
  /** How long to collect further scenarios of a notified incident. */
  readonly gatherMs: number;
}

/**
 * The notice that is due for an incident now, if any. Maintenance suppresses notices; afterwards, incidents that are still
 * open are notified, and those that came and went within it never are.
 */
export function dueNotice(
  incident: Incident,
  notified: Notified,
  now: number,
  isMaintenance: boolean,
  { remindAfterMs, gatherMs }: NotificationPolicy,
): NoticeKind | undefined {
  if (isMaintenance || notified.up) return undefined;
  const isOver = incident.until !== undefined;
  if (!notified.down) return isOver ? undefined : 'down';
  if (isOver) return 'up';
  // After the clock was set back, the elapsed time is unknown: one extra reminder is better than none for a year.
  const passedMs = now < notified.lastAt ? Number.POSITIVE_INFINITY : now - notified.lastAt;
  if (incident.hits.length > notified.hits && passedMs >= gatherMs) return 'more';
  return passedMs >= remindAfterMs ? 'still' : undefined;
}

/** The notifications after a notice of `kind`. */
export function afterNotice(
  notified: Notified,
  kind: NoticeKind,
  { hits }: Pick<Incident, 'hits'>,
  now: number,
): Notified {
  return { down: true, up: notified.up || kind === 'up', hits: hits.length, lastAt: now };
}
