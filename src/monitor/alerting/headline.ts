import { counted } from '../../config/index.ts';
import { durationText } from '../duration-text.ts';
import { type Incident, latestHits, openHits } from '../status/incident.ts';
import type { NoticeKind } from '../status/notification-policy.ts';

/** The alert in one line, subject first: it is an e-mail's subject and a pager's text. `now` is an epoch, in ms. */
export function headlineOf(incident: Incident, kind: NoticeKind, now: number): string {
  const { environment, cause } = incident;
  const text =
    cause.kind === 'host' ? hostText(incident, kind, now) : `${scenarioText(incident, kind, now)} (${cause.address})`;
  return `${environment}: ${text}`;
}

function hostText(incident: Incident, kind: NoticeKind, now: number): string {
  const host = `host ${incident.cause.address}`;
  const lasted = durationText((incident.until ?? now) - incident.since);
  switch (kind) {
    case 'down':
      return `${host} is unreachable (${scenarioText(incident, 'down', now)})`;
    case 'more':
      return `${host} is still unreachable, ${scenarioText(incident, 'more', now)}`;
    case 'still':
      return `${host} has been unreachable for ${lasted} (${scenarioText(incident, 'down', now)})`;
    case 'up':
      return `${host} is reachable again after ${lasted}`;
  }
}

function scenarioText(incident: Incident, kind: NoticeKind, now: number): string {
  const hits = kind === 'up' ? latestHits(incident) : openHits(incident);
  const isOne = hits.length === 1;
  const named = isOne ? `"${hits[0]?.scenario.title}"` : counted(hits.length, 'scenario');
  switch (kind) {
    case 'down':
      return `${named} ${isOne ? 'is' : 'are'} down`;
    case 'more':
      return `more scenarios went down: ${hits.length} ${isOne ? 'is' : 'are'} down now`;
    case 'still': {
      const lasted = durationText(now - Math.min(...hits.map(({ since }) => since)));
      return isOne ? `${named} has been down for ${lasted}` : `${named} have been down for up to ${lasted}`;
    }
    case 'up':
      return `${isOne ? `${named} has` : `${hits.length === 2 ? 'both scenarios' : `all ${named}`} have`} recovered after ${durationText((incident.until ?? now) - incident.since)}`;
  }
}
