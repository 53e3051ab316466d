import { counted } from '../../environment/index.ts';
import { html, type Markup } from '../../run/index.ts';
import { areaTitle } from '../../service/index.ts';
import { environmentsOf, environmentsText, incidentTitle } from '../alerting/wording.ts';
import type { Monitor } from '../monitor.ts';
import type { RunRecorder } from '../recording/run-recorder.ts';
import type { Incident } from '../status/incident.ts';
import { durationText } from '../status/texts.ts';
import { formula, incidentCard, moment, scenarioLine, state } from './components.ts';
import type { ReadFigures } from './figures.ts';
import {
  countsText,
  type EnvironmentView,
  environmentViews,
  isBad,
  overallText,
  type ScenarioView,
  states,
  worstOf,
} from './view.ts';

/** A filter from the query of the page: the page lists only scenarios that match it. */
export interface Filter {
  readonly environment?: string;
  /** A search text. Each of its words must begin a word of the scenario's name, area or state. */
  readonly text?: string;
}

const LONGEST_TEXT = 100;

export function filterOf(query: URLSearchParams): Filter {
  const [environment, text] = ['environment', 'text'].map((name) => query.get(name)?.trim().slice(0, LONGEST_TEXT));
  return { ...(environment && { environment }), ...(text && { text }) };
}

export function addressOf(filter: Filter): string {
  const query = new URLSearchParams({ ...filter });
  return query.size > 0 ? `/?${query}` : '/';
}

function matching(all: readonly ScenarioView[], { environment, text = '' }: Filter): ScenarioView[] {
  const words = text.toLowerCase().split(/\s+/);
  const chosen = environment === undefined ? all : all.filter(({ known }) => known.environment === environment);
  return chosen.filter(({ known, shown }) => {
    const about = ` ${known.title} ${areaTitle(known.area)} ${states[shown].word}`.toLowerCase();
    return words.every((word) => about.includes(` ${word}`));
  });
}

type Overviewed = Pick<Monitor, 'recorder' | 'environments' | 'health'>;

/** The page `/`: open incidents, scenarios, past incidents. A public page shows only states, and neither reasons nor addresses. */
export async function overviewPage(monitor: Overviewed, filter: Filter, read: ReadFigures, isPublic: boolean) {
  const { recorder, environments } = monitor;
  const { problems } = monitor.health();
  const now = Date.now();
  const all = environmentViews(recorder, environments, now);
  const scenarios = all.flatMap((one) => one.scenarios);
  const title = overallText(scenarios);
  const shown = worstOf(scenarios);
  const quiet = all.filter(({ maintenance }) => maintenance).map(({ name }) => name);
  const body = html`<h1 class="banner ${shown}" id="headline">${state(shown, title)}</h1>
${problems.length > 0 && html`<p class="trouble" role="alert">The monitor itself has a problem${isPublic ? '' : `: ${problems.join('; ')}`}.</p>`}
${quiet.length > 0 && html`<p class="maintenance">Maintenance of ${environmentsText(quiet)}: runs continue, alerts are off, and uptime excludes it.</p>`}
${openIncidents(recorder.incidents.open, isPublic)}
${filterForm(filter, environments)}
${await scenarioGroups(all, filter, read, isPublic)}
${pastIncidents(recorder.incidents.all, isPublic)}
${plannedMaintenance(recorder.calendar.planned(now))}
${formula()}`;
  return { title, body };
}

/** How many open incidents the page shows in full. It lists the others by title. */
const MOST_CARDS = 8;
const MOST_TITLES = 100;

/** Open incidents for the top of the page: those with the most scenarios first; of those with equally many, the newest first. */
function openIncidents(incidents: readonly Incident[], isPublic: boolean): Markup | undefined {
  if (incidents.length === 0) return undefined;
  const sorted = incidents.toSorted((a, b) => b.open.length - a.open.length || b.since - a.since || b.id - a.id);
  const further = sorted.slice(MOST_CARDS);
  return html`<section id="problems" aria-label="Open incidents">
${sorted.slice(0, MOST_CARDS).map((incident) => incidentCard(incident, isPublic))}${further.length > 0 && html`<details id="further"><summary>${counted(further.length, 'more open incident')}</summary><ul>${further.slice(0, MOST_TITLES).map((one) => incidentLine(one, isPublic))}</ul></details>`}</section>`;
}

function incidentLine(incident: Incident, isPublic: boolean): Markup {
  const { id, since, until, subject } = incident;
  const named = environmentsText(environmentsOf(subject));
  return html`<li id="incident-${id}"><a href="/incidents/${id}">${named}${!isPublic && `: ${incidentTitle(incident)}`}</a> <span class="facts">${moment(since)}${until !== undefined && `, ${durationText(incident.lastedMs())}`}</span></li>
`;
}

function filterForm({ environment, text = '' }: Filter, environments: Overviewed['environments']): Markup {
  return html`<form class="filter" method="get" action="/" role="search" aria-label="Scenarios">
${environments.length > 1 && html`<label>Environment <select name="environment"><option value="">All</option>${environments.map(({ name }) => html`<option${name === environment && html` selected`}>${name}</option>`)}</select></label>`}
<label>Name, area or state <input type="search" name="text" value="${text}" maxlength="${LONGEST_TEXT}" size="20"></label>
<button>Show</button>${(environment ?? text) && html` <a href="/">Show all</a>`}
</form>`;
}

/** How many scenarios a page lists. If there are more, and the reader has set no filter, the page lists only those that need attention. */
const MOST_LINES = 100;

/**
 * The scenarios that match a filter, beginning with those that need attention. If there are many scenarios and no filter, the page shows
 * only those that need attention, and a link to each environment.
 */
export async function scenarioGroups(
  all: readonly EnvironmentView[],
  filter: Filter,
  read: ReadFigures,
  isPublic: boolean,
): Promise<Markup> {
  const scenarios = all.flatMap((one) => one.scenarios);
  const isFiltered = Object.keys(filter).length > 0;
  const isPart = !isFiltered && scenarios.length > MOST_LINES;
  const found = isPart ? scenarios.filter(isBad) : matching(scenarios, filter);
  const sorted = found.toSorted((a, b) => Number(isBad(b)) - Number(isBad(a)));
  const rest = sorted.length - MOST_LINES;
  const lines: { readonly view: ScenarioView; readonly line: Markup }[] = [];
  for (const view of sorted.slice(0, MOST_LINES))
    lines.push({ view, line: scenarioLine(view, await read(view.known), isPublic) });
  const groups = Map.groupBy(lines, ({ view: { known } }) => `${known.environment} · ${areaTitle(known.area)}`);
  return html`<section aria-label="Scenarios">${isFiltered && html`<h2>${counted(found.length, 'scenario')} found</h2>`}
${[...groups].map(([title, of]) => {
  const views = of.map(({ view }) => view);
  return html`<details class="area" id="area-${title}" open><summary>${state(worstOf(views), title)}<span class="counts">${countsText(views)}</span></summary>
<ul class="lines">${of.map(({ line }) => line)}</ul></details>
`;
})}
${rest > 0 && html`<p class="rest">and ${counted(rest, 'more scenario')}: choose an environment, an area or a name</p>`}${isPart && environmentList(all)}</section>`;
}

function environmentList(all: readonly EnvironmentView[]): Markup {
  const sorted = all.toSorted((a, b) => Number(b.scenarios.some(isBad)) - Number(a.scenarios.some(isBad)));
  return html`<ul class="environments" aria-label="Environments">${sorted.map(
    ({ name, scenarios, maintenance }) =>
      html`<li class="${worstOf(scenarios)}"><a href="${addressOf({ environment: name })}">${name}</a><span class="counts">${countsText(scenarios)}${maintenance && ', maintenance'}</span></li>
`,
  )}</ul>`;
}

/** How many resolved incidents a page lists, the latest first. */
const MOST_PAST = 20;

function pastIncidents(incidents: readonly Incident[], isPublic: boolean): Markup {
  const past = incidents.filter(({ until }) => until !== undefined).sort((a, b) => b.since - a.since);
  return html`<section id="incidents" aria-labelledby="incidents-title"><h2 id="incidents-title">Past incidents</h2>
${past.length === 0 && html`<p>None on record.</p>`}<ul>${past.slice(0, MOST_PAST).map((incident) => incidentLine(incident, isPublic))}</ul>
${past.length > MOST_PAST && html`<p>Earlier ones: <code>sextant history export --what flips</code></p>`}</section>`;
}

function plannedMaintenance(planned: ReturnType<RunRecorder['calendar']['planned']>): Markup {
  return html`<section><h2>Planned maintenance</h2>${planned.length === 0 && html`<p>None planned.</p>`}
<ul>${planned.slice(0, MOST_PAST).map(({ environment, span }) => html`<li>${environment}: ${moment(span.from)} to ${moment(span.to)}</li>`)}</ul></section>`;
}
