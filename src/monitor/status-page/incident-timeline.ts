import type { IncidentStory, NoticeEntry } from '../history/incident-story.ts';
import type { Flip } from '../status/flip.ts';
import type { IncidentEvent } from '../status/handling.ts';

export interface TimelineEntry {
  readonly at: number;
  readonly text: string;
}

/** What happened in an incident, in order of time. A public page shows neither reasons nor people. */
export function timelineOf({ incident, leaves, notices, events }: IncidentStory, isPublic: boolean): TimelineEntry[] {
  const entries = [
    ...incident.hits.map((hit) => ({ at: hit.at, text: hitText(hit, isPublic) })),
    ...leaves.map((leave) => ({ at: leave.at, text: leaveText(leave) })),
    ...(isPublic ? [] : notices.map((notice) => ({ at: notice.at, text: noticeText(notice) }))),
    ...(isPublic ? [] : events.map((event) => ({ at: event.at, text: eventText(event) }))),
  ];
  return entries.sort((a, b) => a.at - b.at);
}

function hitText({ scenario, to, reason }: Flip, isPublic: boolean): string {
  const what = to === 'skipped' ? 'can no longer run' : 'went down';
  return `"${scenario.title}" ${what}${reason && !isPublic ? ` — ${reason}` : ''}`;
}

function leaveText({ scenario, from, to }: Flip): string {
  if (from === 'skipped') return `"${scenario.title}" can run again`;
  return `"${scenario.title}" recovered${to === 'up' ? '' : `, and is ${to}`}`;
}

function noticeText({ kind, channels }: NoticeEntry): string {
  const names = channels.map(({ name, state }) => (state === 'sent' ? name : `${name} (${state})`));
  return `notice "${kind}" ${names.length > 0 ? `to ${names.join(', ')}` : 'to no channel'}`;
}

function eventText({ kind, person, text, until }: IncidentEvent): string {
  const note = text && `: ${text}`;
  switch (kind) {
    case 'note':
      return `${person}${note}`;
    case 'acknowledged':
      return `${person} acknowledged it${note}`;
    case 'reopened':
      return `${person} took the acknowledgement back${note}`;
    case 'muted':
      return `${person} muted it until ${new Date(until ?? 0).toISOString().slice(0, 16).replace('T', ' ')} UTC${note}`;
    case 'unmuted':
      return `${person} unmuted it${note}`;
  }
}
