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
  told: Notified,
  now: number,
  isMaintenance: boolean,
  { remindAfterMs, gatherMs }: NotificationPolicy,
): NoticeKind | undefined {
  if (isMaintenance || told.up) return undefined;
  const isOver = incident.until !== undefined;
  if (!told.down) return isOver ? undefined : 'down';
  if (isOver) return 'up';
  // A calendar that was set back says nothing of how long it has been: better once too often than not for a year.
  const passedMs = now < told.lastAt ? Number.POSITIVE_INFINITY : now - told.lastAt;
  if (incident.hits.length > told.hits && passedMs >= gatherMs) return 'more';
  return passedMs >= remindAfterMs ? 'still' : undefined;
}

/** What was told, after `kind` was. */
export function afterNotice(told: Notified, kind: NoticeKind, { hits }: Pick<Incident, 'hits'>, now: number): Notified {
  return { down: true, up: told.up || kind === 'up', hits: hits.length, lastAt: now };
}
