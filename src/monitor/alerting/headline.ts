import { durationText } from '../duration-text.ts';
import { extentOf } from '../status/extent.ts';
import { type Incident, isConnection } from '../status/incident.ts';
import type { NoticeKind } from '../status/notification-policy.ts';
import { connectionText } from './connection-text.ts';
import { environmentsText } from './environments-text.ts';
import { scenarioText } from './scenario-text.ts';

/** The alert in one line, subject first: it is an e-mail's subject and a pager's text. `now` is an epoch, in ms. */
export function headlineOf(incident: Incident, kind: NoticeKind, now: number): string {
  return `${environmentsText(affected(incident, kind))}: ${textOf(incident, kind, now)}`;
}

/** The environments that a notice is about: a reminder names those that are still down. */
function affected(incident: Incident, kind: NoticeKind): readonly string[] {
  const { environments } = extentOf(incident);
  if (kind !== 'still') return environments;
  return environments.filter((name) => incident.open.some(({ environment }) => environment === name));
}

/** What is wrong, or was: the title of an incident on its page. */
export function incidentTitle(incident: Incident): string {
  const text = textOf({ ...incident, open: incident.hits.map(({ scenario }) => scenario) }, 'down', incident.since);
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

function textOf(incident: Incident, kind: NoticeKind, now: number): string {
  if (!isConnection(incident.cause)) return scenarioText(incident, kind, now);
  return connectionText(incident, kind, durationText((incident.until ?? now) - incident.since));
}
