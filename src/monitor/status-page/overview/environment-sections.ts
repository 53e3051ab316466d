import { counted } from '../../../config/index.ts';
import { dayBar, worstDays } from '../day-bar.ts';
import { addressOf, pager } from '../filter.ts';
import { milliseconds, moment, uptimeText } from '../format.ts';
import { html, type Markup } from '../html.ts';
import { retried, state } from '../parts.ts';
import {
  type AreaView,
  countsText,
  type EnvironmentView,
  hasBad,
  isBad,
  type ScenarioView,
  scenarioPath,
  scenariosOf,
  shownStates,
  worstOf,
} from '../view.ts';

/** Up to so many scenarios, every line is in the page; of more, only what is bad. */
const ALL_LINES = 100;
/** Lines of what is bad, of one page. */
const MOST_LINES = 60;
/** Up to so many environments, every area is in the page; of more, only what is bad. */
const ALL_AREAS = 12;
/** Environments of one page. */
const ENVIRONMENTS = 200;

/** Reads the figures that are missing. */
export type Fill = (views: readonly ScenarioView[]) => readonly ScenarioView[];

/** Every environment with its areas, folded where all is well. */
export function environmentSections(all: readonly EnvironmentView[], page: number, filled: Fill): Markup {
  const pages = Math.max(1, Math.ceil(all.length / ENVIRONMENTS));
  const current = Math.min(page, pages);
  const rank = (one: EnvironmentView) =>
    hasBad(one.tally) ? shownStates.indexOf(worstOf(one.tally)) : shownStates.length;
  const sorted = [...all].sort((a, b) => rank(a) - rank(b));
  const shown = sorted.slice((current - 1) * ENVIRONMENTS, current * ENVIRONMENTS);
  const budget = new LineBudget(scenariosOf(all).length, filled);
  const isWhole = all.length <= ALL_AREAS;
  const sections: Markup[] = [];
  const rest: EnvironmentView[] = [];
  for (const environment of shown)
    if (isWhole || (hasBad(environment.tally) && budget.left > 0))
      sections.push(environmentSection(environment, budget, isWhole));
    else rest.push(environment);
  return html`${sections}${rest.length > 0 && environmentList(rest)}${pager(current, pages, (to) => addressOf({ page: to }))}`;
}

/** Spends the lines of a page. */
class LineBudget {
  left: number;
  readonly isEverything: boolean;
  readonly #filled: Fill;

  constructor(total: number, filled: Fill) {
    this.isEverything = total <= ALL_LINES;
    this.left = this.isEverything ? ALL_LINES : MOST_LINES;
    this.#filled = filled;
  }

  take({ scenarios }: AreaView): readonly ScenarioView[] {
    const wanted = this.isEverything ? scenarios : scenarios.filter(isBad);
    const taken = this.#filled(wanted.slice(0, this.left));
    this.left -= taken.length;
    return taken;
  }
}

function environmentSection(environment: EnvironmentView, budget: LineBudget, isWhole: boolean): Markup {
  const { name, areas, tally, maintenance } = environment;
  const bad = areas.filter((area) => hasBad(area.tally));
  const well = areas.filter((area) => !hasBad(area.tally));
  return html`<section class="environment" aria-labelledby="environment-${name}">
<h2 id="environment-${name}">${name}${!isWhole && html` <span class="counts">${countsText(tally)}</span>`}</h2>
${maintenance && html`<p class="maintenance">Maintenance until ${moment(maintenance.to)}: runs continue, alerts are off, and uptime excludes it.</p>`}
${[...bad, ...(isWhole ? well : [])].map((area) => areaFold(area, name, budget))}${!isWhole && well.length > 0 && html`<p class="rest"><a href="${addressOf({ environment: name })}">Show ${counted(well.length, 'more area')}</a></p>`}</section>
`;
}

function areaFold(area: AreaView, environment: string, budget: LineBudget): Markup {
  const { id, title, tally, scenarios } = area;
  const lines = budget.take(area);
  const rest = scenarios.length - lines.length;
  const days = scenarios.flatMap(({ figures }) => figures?.days ?? []);
  return html`<details class="area" id="area-${environment}-${id}"${hasBad(tally) && html` open`}><summary>${state(worstOf(tally), title)}<span class="counts">${countsText(tally)}</span>${days.length > 0 && dayBar(worstDays(days))}</summary>
<ul class="lines">${lines.map(scenarioLine)}</ul>${rest > 0 && html`<p class="rest"><a href="${addressOf({ environment, area: id })}">${lines.length > 0 ? `${counted(rest, 'more scenario')}` : `Show ${counted(rest, 'scenario')}`}</a></p>`}</details>
`;
}

/** Environments as links, a line each. */
function environmentList(all: readonly EnvironmentView[]): Markup {
  return html`<section aria-label="Environments"><ul class="environments">${all.map(
    ({ name, tally, maintenance }) =>
      html`<li class="${worstOf(tally)}" id="environment-${name}"><a href="${addressOf({ environment: name })}">${name}</a><span class="counts">${countsText(tally)}${maintenance && ', maintenance'}</span></li>
`,
  )}</ul></section>`;
}

/** One line: state, name, 90 days, uptime, p95. */
export function scenarioLine({ known, shown, figures }: ScenarioView): Markup {
  return html`<li class="line ${shown}" id="s${known.id}">${state(shown)}<a href="${scenarioPath(known)}">${known.title}</a>${figures?.isRetried && retried()}${figures ? dayBar(figures.days) : html`<span class="daybar"></span>`}<span class="uptime">${figures ? uptimeText(figures.quarter) : '…'}</span><span class="p95">${figures ? milliseconds(figures.p95) : '…'}</span></li>
`;
}
