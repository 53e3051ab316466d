import { counted } from '../../config/index.ts';
import { areaTitle } from '../../spec/index.ts';
import { addressOf, type Filter, isFiltering, matches, paged } from './filter.ts';
import { milliseconds, moment, uptimeText } from './format.ts';
import { html, type Markup } from './html.ts';
import { dayBar, retried, state, worstDays } from './parts.ts';
import {
  type AreaView,
  countsText,
  type EnvironmentView,
  isBad,
  type ScenarioView,
  scenarioPath,
  scenariosOf,
  shownStates,
  worstOf,
} from './view.ts';

/** Every scenario in folded areas, or those that a filter asks for. */
export function scenarioSections(environments: readonly EnvironmentView[], filter: Filter, filled: Fill): Markup {
  return isFiltering(filter)
    ? filteredLines(scenariosOf(environments), filter, filled)
    : environmentSections(environments, filter, filled);
}

const LINES = 100;

/** The scenarios that a filter asks for, the gravest first, by pages. */
function filteredLines(all: readonly ScenarioView[], filter: Filter, filled: Fill): Markup {
  const found = all.filter((view) => matches(view, filter)).sort((a, b) => rank(a) - rank(b));
  const { shown, links } = paged(found, LINES, filter);
  const groups = Map.groupBy(filled(shown), ({ known }) => `${known.environment} · ${areaTitle(known.area)}`);
  return html`<section aria-label="Scenarios found"><h2>${counted(found.length, 'scenario')} found</h2>
${[...groups].map(([title, views]) => html`<section class="area open"><h3>${title}</h3><ul class="lines">${views.map(scenarioLine)}</ul></section>`)}
${links}</section>`;
}

function rank({ shown }: ScenarioView): number {
  return shownStates.indexOf(shown);
}

/** Up to so many scenarios, every line is in the page; of more, only what is bad. */
const ALL_LINES = 100;
/** Lines of what is bad, of one page. */
const MOST_LINES = 60;
/** Up to so many environments, every area is in the page; of more, only what is bad. */
const ALL_AREAS = 12;
const ENVIRONMENTS = 200;

/** Reads the figures that are missing. */
type Fill = (views: readonly ScenarioView[]) => readonly ScenarioView[];

/** Every environment with its areas, folded where all is well. */
export function environmentSections(all: readonly EnvironmentView[], filter: Filter, filled: Fill): Markup {
  const byState = Map.groupBy(all, (one) => (one.scenarios.some(isBad) ? worstOf(one.scenarios) : undefined));
  const sorted = [...shownStates, undefined].flatMap((worst) => byState.get(worst) ?? []);
  const { shown, links } = paged(sorted, ENVIRONMENTS, filter);
  const isEverything = scenariosOf(all).length <= ALL_LINES;
  let left = isEverything ? ALL_LINES : MOST_LINES;
  const linesOf: LinesOf = ({ scenarios }) => {
    const lines = filled((isEverything ? scenarios : scenarios.filter(isBad)).slice(0, left));
    left -= lines.length;
    return lines;
  };
  const isWhole = all.length <= ALL_AREAS;
  const sections: Markup[] = [];
  const rest: EnvironmentView[] = [];
  for (const environment of shown)
    if (isWhole || (environment.scenarios.some(isBad) && left > 0))
      sections.push(environmentSection(environment, linesOf, isWhole));
    else rest.push(environment);
  return html`${sections}${rest.length > 0 && environmentList(rest)}${links}`;
}

/** The lines of an area that are in the page. */
type LinesOf = (area: AreaView) => readonly ScenarioView[];

function environmentSection(environment: EnvironmentView, linesOf: LinesOf, isWhole: boolean): Markup {
  const { name, areas, scenarios, maintenance } = environment;
  const bad = areas.filter((area) => area.scenarios.some(isBad));
  const well = areas.filter((area) => !bad.includes(area));
  return html`<section class="environment" aria-labelledby="environment-${name}">
<h2 id="environment-${name}">${name}${!isWhole && html` <span class="counts">${countsText(scenarios)}</span>`}</h2>
${maintenance && html`<p class="maintenance">Maintenance until ${moment(maintenance.to)}: runs continue, alerts are off, and uptime excludes it.</p>`}
${[...bad, ...(isWhole ? well : [])].map((area) => areaFold(area, name, linesOf))}${!isWhole && well.length > 0 && html`<p class="rest"><a href="${addressOf({ environment: name })}">Show ${counted(well.length, 'more area')}</a></p>`}</section>
`;
}

function areaFold(area: AreaView, environment: string, linesOf: LinesOf): Markup {
  const { id, title, scenarios } = area;
  const lines = linesOf(area);
  const rest = scenarios.length - lines.length;
  const days = scenarios.flatMap(({ figures }) => figures?.days ?? []);
  return html`<details class="area" id="area-${environment}-${id}"${scenarios.some(isBad) && html` open`}><summary>${state(worstOf(scenarios), title)}<span class="counts">${countsText(scenarios)}</span>${days.length > 0 && dayBar(worstDays(days))}</summary>
<ul class="lines">${lines.map(scenarioLine)}</ul>${rest > 0 && html`<p class="rest"><a href="${addressOf({ environment, area: id })}">${lines.length > 0 ? `${counted(rest, 'more scenario')}` : `Show ${counted(rest, 'scenario')}`}</a></p>`}</details>
`;
}

function environmentList(all: readonly EnvironmentView[]): Markup {
  return html`<section aria-label="Environments"><ul class="environments">${all.map(
    ({ name, scenarios, maintenance }) =>
      html`<li class="${worstOf(scenarios)}" id="environment-${name}"><a href="${addressOf({ environment: name })}">${name}</a><span class="counts">${countsText(scenarios)}${maintenance && ', maintenance'}</span></li>
`,
  )}</ul></section>`;
}

/** One line: state, name, 90 days, uptime, p95. */
function scenarioLine({ known, shown, figures }: ScenarioView): Markup {
  return html`<li class="line ${shown}" id="s${known.id}">${state(shown)}<a href="${scenarioPath(known)}">${known.title}</a>${figures?.isRetried && retried()}${figures ? dayBar(figures.days) : html`<span class="daybar"></span>`}<span class="uptime">${figures ? uptimeText(figures.quarter) : '…'}</span><span class="p95">${figures ? milliseconds(figures.p95) : '…'}</span></li>
`;
}
