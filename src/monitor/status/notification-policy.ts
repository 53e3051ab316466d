import { sizeOf } from './extent.ts';
import type { Incident } from './incident.ts';

export const noticeKinds = ['down', 'more', 'still', 'up'] as const;

/** down: something broke · more: further scenarios went down · still: a reminder · up: everything recovered. */
export type NoticeKind = (typeof noticeKinds)[number];

/** The notifications of an incident so far. */
export interface Notified {
  readonly down: boolean;
  readonly up: boolean;
  /** Size of the incident at the last notification. */
  readonly size: number;
  /** Time of the last notification; epoch, in ms. */
  readonly lastAt: number;
}

export const neverNotified: Notified = { down: false, up: false, size: 0, lastAt: 0 };

export interface NotificationPolicy {
  readonly remindAfterMs: number;
  /** How long to collect further scenarios of a notified incident. */
  readonly gatherMs: number;
}

/** What keeps notices back. */
export interface Quiet {
  readonly isMaintenance: boolean;
  /** Muted by somebody. */
  readonly isMuted: boolean;
  /** Somebody has taken it on. */
  readonly isAcknowledged: boolean;
}

export const notQuiet: Quiet = { isMaintenance: false, isMuted: false, isAcknowledged: false };

/** Clocks are corrected by milliseconds all the time; only a clock that went back further was set. */
const CORRECTION_MS = 1_000;

/**
 * The notice that is due for an incident now, if any. Maintenance suppresses notices; afterwards, incidents that are still
 * open are notified, and those that came and went within it never are. A muted incident gets no notice but its end; an
 * acknowledged one no reminder. Skipped scenarios are notified once, without reminders.
 */
export function dueNotice(
  incident: Incident,
  notified: Notified,
  now: number,
  { isMaintenance, isMuted, isAcknowledged }: Quiet,
  { remindAfterMs, gatherMs }: NotificationPolicy,
): NoticeKind | undefined {
  if (isMaintenance || notified.up) return undefined;
  const isOver = incident.until !== undefined;
  if (isOver) return notified.down ? 'up' : undefined;
  if (isMuted) return undefined;
  if (!notified.down) return 'down';
  // After the clock was set back, the elapsed time is unknown: one extra reminder is better than none for a year.
  const passedMs = now < notified.lastAt - CORRECTION_MS ? Number.POSITIVE_INFINITY : now - notified.lastAt;
  if (sizeOf(incident) > notified.size && passedMs >= gatherMs) return 'more';
  if (isAcknowledged || incident.cause.kind === 'skipped') return undefined;
  return passedMs >= remindAfterMs ? 'still' : undefined;
}

/** The notifications after a notice of `kind`. */
export function afterNotice(notified: Notified, kind: NoticeKind, size: number, now: number): Notified {
  return { down: true, up: notified.up || kind === 'up', size, lastAt: now };
}
