import { counted } from '../../../config/index.ts';
import { familyTexts } from '../../alerting/failure-text.ts';
import { endingOf } from '../../alerting/headline.ts';
import type { Announced, IncidentStory } from '../../history/incidents.ts';
import { type Flip, familyOf } from '../../status/flip.ts';
import type { IncidentEvent } from '../../status/handling.ts';
import { extentOf } from '../../status/hits.ts';

/** Changes of each kind; a host that many environments share can take thousands of scenarios with it. */
const MOST_CHANGES = 50;

/** What happened in an incident, in order of time. A public page shows neither reasons nor people. */
export function timelineOf({ incident, notices, events, announced }: IncidentStory, isPublic: boolean) {
  const { hits, leaves, cause } = incident;
  const isShared = extentOf(incident.hits).environments.length > 1;
  const nameOf = ({ scenario }: Flip) => `${isShared ? `${scenario.environment}: ` : ''}"${scenario.title}"`;
  const entries = [
    ...fewOf(hits, (hit) => hitText(hit, nameOf(hit), isPublic), familyTexts[familyOf(cause)].began),
    ...fewOf(leaves, (leave) => `${nameOf(leave)} ${endingOf(leave)}`, 'left it'),
    ...(isPublic ? [] : notices.map((notice) => ({ at: notice.at, text: noticeText(notice) }))),
    ...(isPublic ? [] : announced.flatMap(announcedEntries)),
    ...(isPublic ? [] : events.map((event) => ({ at: event.at, text: eventText(event) }))),
  ];
  return entries.sort((a, b) => a.at - b.at);
}

/** The first changes, and one entry that counts those after them. */
function fewOf(flips: readonly Flip[], textOf: (flip: Flip) => string, what: string) {
  const shown = flips.slice(0, MOST_CHANGES).map((flip) => ({ at: flip.at, text: textOf(flip) }));
  const further = flips.slice(MOST_CHANGES);
  const [last] = further.slice(-1);
  return last
    ? [...shown, { at: last.at, text: `${counted(further.length, 'more scenario')} ${what} by then` }]
    : shown;
}

function hitText({ cause, reason }: Flip, name: string, isPublic: boolean): string {
  return `${name} ${familyTexts[familyOf(cause)].began}${reason && !isPublic ? ` — ${reason}` : ''}`;
}

function announcedEntries({ environment, start, until, why, person, endedBy }: Announced) {
  const began = { at: start, text: `${person} began maintenance of ${environment}${why && `: ${why}`}` };
  return endedBy === undefined
    ? [began]
    : [began, { at: until, text: `${endedBy} ended maintenance of ${environment}` }];
}

function noticeText({ kind, channels }: IncidentStory['notices'][number]): string {
  const names = channels.map(({ name, state }) => (state === 'sent' ? name : `${name} (${state})`));
  return `notice "${kind}" ${names.length > 0 ? `to ${names.join(', ')}` : 'to no channel'}`;
}

function eventText({ kind, person, text, until }: IncidentEvent): string {
  const deeds = {
    note: '',
    acknowledged: ' acknowledged it',
    reopened: ' took the acknowledgement back',
    muted: ` muted it until ${new Date(until ?? 0).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    unmuted: ' unmuted it',
  };
  return `${person}${deeds[kind]}${text && `: ${text}`}`;
}
