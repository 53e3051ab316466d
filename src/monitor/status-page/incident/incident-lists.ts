import { counted } from '../../../config/index.ts';
import { areaTitle } from '../../../spec/index.ts';
import { endingOf, environmentsText, incidentTitle } from '../../alerting/headline.ts';
import { verdictText } from '../../alerting/notice-lines.ts';
import type { Calendar } from '../../recording/calendar.ts';
import { familyOf } from '../../status/flip.ts';
import { isMutedAt } from '../../status/handling.ts';
import { extentOf, gravestFirst } from '../../status/hits.ts';
import type { Incident } from '../../status/incident.ts';
import { cut, durationText } from '../../status/texts.ts';
import { moment } from '../format.ts';
import { html, type Markup } from '../html.ts';
import { state } from '../parts.ts';
import { scenarioPath } from '../view.ts';
import { handlingText, incidentState } from './incident-page.ts';

/** Incidents on the first page; more are a link. */
const MOST_CARDS = 8;
/** Longest reason, in characters. */
const REASON = 220;
/** Longest call, in characters: a longer one is on the page of its incident. */
const CALL = 2_000;
const NAMED = 4;

/** Open incidents on top of the page, those with most scenarios first, then the newest. */
export function openProblems(incidents: readonly Incident[], now: number, isPublic: boolean): Markup {
  if (incidents.length === 0) return html``;
  const sorted = incidents.toSorted((a, b) => b.open.length - a.open.length || b.since - a.since || b.id - a.id);
  const more = sorted.length - MOST_CARDS;
  return html`<section id="problems" aria-label="Open incidents">
${sorted.slice(0, MOST_CARDS).map((incident) => problemCard(incident, now, isPublic))}${more > 0 && html`<p><a href="/incidents">${counted(more, 'more open incident')}</a></p>`}</section>`;
}

/** Readers of states see neither reason nor call. */
export function problemCard(incident: Incident, now: number, isPublic: boolean): Markup {
  const { id, since, cause, handling } = incident;
  const isHandled = handling.acknowledged !== undefined || isMutedAt(handling, now);
  const { environments } = extentOf(incident.subject);
  const hits = gravestFirst(incident.open);
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
${isHandled && !isPublic && handlingText(handling, now)}
${first?.curl && !isPublic && first.curl.length <= CALL && html`<details class="curl"><summary>Repeat the call</summary><pre tabindex="0"><code>${first.curl}</code></pre><button type="button" class="copy">Copy</button></details>`}
</article>
`;
}

/** `/incidents`: incidents, latest first, and planned maintenance. */
export function incidentsPage(
  incidents: readonly Incident[],
  maintenance: ReturnType<Calendar['planned']>,
  now: number,
  isPublic: boolean,
): Markup {
  return html`<h1>Incidents</h1>
${incidents.length === 0 && html`<p>None on record.</p>`}
${incidents.map((incident) => incidentArticle(incident, now, isPublic))}
<h2>Planned maintenance</h2>
${maintenance.length === 0 && html`<p>None planned.</p>`}
<ul>${maintenance.map(({ environment, span }) => html`<li>${environment}: ${moment(span.from)} to ${moment(span.to)}</li>`)}</ul>`;
}

function incidentArticle(incident: Incident, now: number, isPublic: boolean): Markup {
  const { id, since, until } = incident;
  const { environments } = extentOf(incident.subject);
  const { members } = incident;
  const more = members.length - NAMED;
  const named = environmentsText(environments);
  const title = isPublic ? named : `${named}: ${incidentTitle(incident)}`;
  return html`<article class="incident" id="incident-${id}">
<h2>${incidentState(incident)} <a href="/incidents/${id}">${title}</a></h2>
<p>${moment(since)} to ${until === undefined ? 'now' : moment(until)}, ${durationText((until ?? now) - since)}</p>
<ul>${members.slice(0, NAMED).map(({ hit: { scenario, verdict, grade, reason, curl }, leave }) => {
    return html`<li><b>${environments.length > 1 && `${scenario.environment}: `}${scenario.title}</b>${leave && until === undefined && ` (${endingOf(leave)})`}${
      !isPublic &&
      html` — ${verdictText(verdict, grade, reason)}${reason && `: ${reason}`}${curl && html`<pre tabindex="0"><code>${curl}</code></pre>`}`
    }</li>`;
  })}${more > 0 && html`<li><a href="/incidents/${id}">and ${more} more</a></li>`}</ul>
</article>`;
}
