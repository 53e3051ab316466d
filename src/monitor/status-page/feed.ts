import { html } from '../../run/index.ts';
import { beganText, environmentsOf, environmentsText, incidentTitle } from '../alerting/wording.ts';
import type { Monitor } from '../monitor.ts';
import type { Incident } from '../status/incident.ts';
import { durationText } from '../status/texts.ts';

const ENTRIES = 50;

export const FEED_TYPE = 'application/atom+xml; charset=utf-8';

/**
 * The latest incidents as an Atom feed (RFC 4287). Leaves out reasons if the feed is public. An entry gets a new date whenever its incident
 * changes.
 */
export function atomFeed(
  { recorder: { db, incidents }, pageUrl }: Pick<Monitor, 'recorder' | 'pageUrl'>,
  isPublic: boolean,
  now: number,
): string {
  // The ids of entries must never change, so they contain the id of the history.
  const { instance } = db;
  const latest = incidents.all.slice(-ENTRIES).reverse();
  const updated = Math.max(...latest.map(updatedAt), 0) || now;
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>urn:uuid:${instance}</id>
<title>Sextant: incidents</title>
<updated>${iso(updated)}</updated>
<author><name>Sextant</name></author>
<link rel="alternate" type="text/html" href="${pageUrl}"/>
<link rel="self" type="application/atom+xml" href="${pageUrl}feed.atom"/>
${latest.map((incident) => {
  const { id, since, until } = incident;
  const named = environmentsText(environmentsOf(incident.hits));
  const state = until === undefined ? 'open' : `resolved after ${durationText(incident.lastedMs())}`;
  const title = isPublic ? named : `${named}: ${incidentTitle(incident)}`;
  return html`<entry>
<id>urn:sextant:${instance}:${id}</id>
<title>${title} (${state})</title>
<published>${iso(since)}</published>
<updated>${iso(updatedAt(incident))}</updated>
<link rel="alternate" type="text/html" href="${pageUrl}incidents/${id}"/>
<content type="text">${incident.latest.slice(0, ENTRIES).map((hit) => `${hit.scenario.environment}: ${hit.scenario.title} ${beganText(hit.cause)}${isPublic || !hit.reason ? '' : `: ${hit.reason}`}\n`)}</content>
</entry>
`;
})}</feed>
`.text;
}

function updatedAt({ hits, leaves, since }: Incident): number {
  return Math.max(since, hits.at(-1)?.at ?? 0, leaves.at(-1)?.at ?? 0);
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
