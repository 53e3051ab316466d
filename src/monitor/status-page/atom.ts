import { counted } from '../../config/index.ts';
import { environmentsText } from '../alerting/environments-text.ts';
import { durationText } from '../duration-text.ts';
import { extentOf } from '../status/extent.ts';
import { familyOf, type Incident, latestHits } from '../status/incident.ts';
import { html } from './html.ts';
import { stateWords } from './parts.ts';

/** Incidents as an Atom feed (RFC 4287), latest first. */
export function atomFeed(incidents: readonly Incident[], pageUrl: string, now: number): string {
  const iso = (at: number) => new Date(at).toISOString();
  const updated = (incident: Incident) => incident.until ?? incident.hits.at(-1)?.at ?? incident.since;
  const entries = incidents.map((incident) => {
    const { id, since, until } = incident;
    const environment = environmentsText(extentOf(incident).environments);
    const titles = latestHits(incident).map(({ scenario }) => scenario.title);
    const bad = stateWords[familyOf(incident.cause)].toLowerCase();
    const state = until === undefined ? `is ${bad}` : `was ${bad} for ${durationText(until - since)}`;
    return html`<entry><id>${pageUrl}incidents#incident-${id}</id><title>${environment} ${state}: ${titles.join(', ')}</title>
<link href="${pageUrl}incidents/${id}"/><published>${iso(since)}</published><updated>${iso(updated(incident))}</updated>
<content type="text">${counted(titles.length, 'scenario')}: ${titles.join(', ')}</content></entry>
`;
  });
  const latest = Math.max(0, ...incidents.map(updated));
  return html`<feed xmlns="http://www.w3.org/2005/Atom"><id>${pageUrl}incidents</id><title>Sextant: incidents</title>
<link rel="self" href="${pageUrl}incidents.atom"/><link href="${pageUrl}incidents"/><author><name>Sextant</name></author>
<updated>${iso(latest || now)}</updated>
${entries}</feed>`.text;
}
