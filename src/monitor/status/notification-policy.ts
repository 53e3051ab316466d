import type { Incident } from './incident.ts';

export const noticeKinds = ['down', 'more', 'still', 'up'] as const;

/** down: it broke · more: further scenarios went down · still: a reminder · up: it is well again. */
export type NoticeKind = (typeof noticeKinds)[number];

/** What people were told of an incident so far. */
export interface Notified {
  readonly down: boolean;
  readonly up: boolean;
  /** Scenarios named in what was told. */
  readonly hits: number;
  /** When they were last told anything; epoch, in ms. */
  readonly lastAt: number;
}

export const neverNotified: Notified = { down: false, up: false, hits: 0, lastAt: 0 };

export interface NotificationPolicy {
  readonly remindAfterMs: number;
  /** How long further scenarios of a told incident are gathered before they are told. */
  readonly gatherMs: number;
}

/**
 * What people must be told of an incident now, if anything. Within maintenance nobody is told; what still holds at its
 * end is told then, and what came and went within it never is.
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
  if (incident.hits.length > notified.hits && now - notified.lastAt >= gatherMs) return 'more';
  return now - notified.lastAt >= remindAfterMs ? 'still' : undefined;
}

/** What was told, after `kind` was. */
export function afterNotice(
  notified: Notified,
  kind: NoticeKind,
  { hits }: Pick<Incident, 'hits'>,
  now: number,
): Notified {
  return { down: true, up: notified.up || kind === 'up', hits: hits.length, lastAt: now };
}
