import { counted } from '../../../config/index.ts';
import { areaTitle } from '../../../spec/index.ts';
import { verdictText } from '../../alerting/notice-lines.ts';
import { environmentsOf, environmentsText, incidentTitle } from '../../alerting/wording.ts';
import type { Calendar } from '../../recording/calendar.ts';
import { familyOf } from '../../status/cause.ts';
import type { Incident } from '../../status/incident.ts';
import { cut, durationText } from '../../status/texts.ts';
import { moment } from '../format.ts';
import { html, type Markup } from '../html.ts';
import { state } from '../parts.ts';
import { scenarioPath } from '../view.ts';
import { handlingText } from './incident-page.ts';

/** Open incidents in full; of further ones, the title. */
const MOST_CARDS = 8;
const MOST_LINES = 100;
/** Longest reason, in characters. */
const REASON = 220;
/** Longest call, in characters: a longer one is on the page of its incident. */
const CALL = 2_000;
const NAMED = 4;

/** Open incidents on top of the page, those with most scenarios first, then the newest. */
export function openProblems(incidents: readonly Incident[], isPublic: boolean): Markup {
  if (incidents.length === 0) return html``;
  const sorted = incidents.toSorted((a, b) => b.open.length - a.open.length || b.since - a.since || b.id - a.id);
  const further = sorted.slice(MOST_CARDS);
  const title = (one: Incident) =>
    `${environmentsText(environmentsOf(one.subject))}${isPublic ? '' : `: ${incidentTitle(one)}`}`;
  return html`<section id="problems" aria-label="Open incidents">
${sorted.slice(0, MOST_CARDS).map((incident) => problemCard(incident, isPublic))}${further.length > 0 && html`<details id="further"><summary>${counted(further.length, 'more open incident')}</summary><ul>${further.slice(0, MOST_LINES).map((one) => html`<li><a href="/incidents/${one.id}">${title(one)}</a></li>`)}</ul></details>`}</section>`;
}

/** Readers of states see neither reason nor call. */
export function problemCard(incident: Incident, isPublic: boolean): Markup {
  const { id, since, cause, handling } = incident;
  const environments = environmentsOf(incident.subject);
  const hits = incident.open;
  const [first] = hits;
  const areas = [...new Set(hits.map(({ area }) => areaTitle(area)))];
  const where = areas.length > 3 ? counted(areas.length, 'area') : areas.join(', ');
  const named = environmentsText(environments);
  const shown = familyOf(cause);
  const more = hits.length - NAMED;
  const names = hits.slice(0, NAMED).map(({ scenario }, index) => {
    const name = `${environments.length > 1 ? `${scenario.environment}: ` : ''}${scenario.title}`;
    return html`${index > 0 && ', '}<a href="${scenarioPath(scenario)}">${name}</a>`;
  });
  return html`<article class="problem ${shown}" id="incident-${id}">
<h2>${state(shown, '')}<a href="/incidents/${id}">${isPublic ? `${named} · ${where}` : `${named}: ${incidentTitle(incident)}`}</a></h2>
${first && !isPublic && html`<p class="reason">${cut(first.reason ?? verdictText(first.verdict, first.grade, undefined), REASON)}</p>`}
<p class="facts">since ${moment(since)} · ${counted(hits.length, 'scenario')}: ${names}${more > 0 && ` and ${more} more`}</p>
${handling.acknowledged && !isPublic && handlingText(handling)}
${first?.curl && !isPublic && first.curl.length <= CALL && html`<details class="curl"><summary>Repeat the call</summary><pre tabindex="0"><code>${first.curl}</code></pre><button type="button" class="copy">Copy</button></details>`}
</article>
`;
}

/** Incidents of a page that are over, the latest first. */
const MOST_PAST = 20;

/** What is over, and what is planned, below everything else. */
export function pastIncidents(
  incidents: readonly Incident[],
  maintenance: ReturnType<Calendar['planned']>,
  isPublic: boolean,
): Markup {
  const past = incidents.filter(({ until }) => until !== undefined).toReversed();
  return html`<section id="incidents" aria-labelledby="incidents-title"><h2 id="incidents-title">Past incidents</h2>
${past.length === 0 && html`<p>None on record.</p>`}<ul class="past">${past.slice(0, MOST_PAST).map((incident) => pastLine(incident, isPublic))}</ul>
${past.length > MOST_PAST && html`<p>Earlier ones: <code>sextant history export --what flips</code></p>`}
<h2>Planned maintenance</h2>
${maintenance.length === 0 && html`<p>None planned.</p>`}
<ul>${maintenance.slice(0, MOST_PAST).map(({ environment, span }) => html`<li>${environment}: ${moment(span.from)} to ${moment(span.to)}</li>`)}</ul></section>`;
}

function pastLine(incident: Incident, isPublic: boolean): Markup {
  const { id, since } = incident;
  const named = environmentsText(environmentsOf(incident.hits));
  const title = isPublic ? named : `${named}: ${incidentTitle(incident)}`;
  return html`<li id="incident-${id}"><a href="/incidents/${id}">${title}</a> <span class="facts">${moment(since)}, ${durationText(incident.lastedMs())}</span></li>
`;
}
