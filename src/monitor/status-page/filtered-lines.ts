import { counted } from '../../config/index.ts';
import { areaTitle } from '../../spec/index.ts';
import { addressOf, type Filter, matches } from './filter.ts';
import { html, type Markup } from './html.ts';
import { scenarioLine } from './scenario-line.ts';
import { type ScenarioView, shownStates } from './view.ts';

/** Lines of a page. */
const LINES = 100;

/** The scenarios that a filter asks for, the gravest first, by pages. */
export function filteredLines(
  all: readonly ScenarioView[],
  filter: Filter,
  filled: (views: readonly ScenarioView[]) => readonly ScenarioView[],
): Markup {
  const found = all.filter((view) => matches(view, filter)).sort((a, b) => rank(a) - rank(b));
  const pages = Math.max(1, Math.ceil(found.length / LINES));
  const page = Math.min(filter.page, pages);
  const lines = filled(found.slice((page - 1) * LINES, page * LINES));
  const groups = Map.groupBy(lines, ({ known }) => `${known.environment} · ${areaTitle(known.area)}`);
  return html`<section aria-label="Scenarios found"><h2>${counted(found.length, 'scenario')} found</h2>
${[...groups].map(([title, views]) => html`<section class="area open"><h3>${title}</h3><ul class="lines">${views.map(scenarioLine)}</ul></section>`)}
${pager(page, pages, (to) => addressOf({ ...filter, page: to }))}</section>`;
}

/** Links to the pages before and after; nothing where there is one page only. */
export function pager(page: number, pages: number, address: (page: number) => string): Markup | false {
  return (
    pages > 1 &&
    html`<nav class="pager" aria-label="Further scenarios">${page > 1 && html`<a href="${address(page - 1)}" rel="prev">Previous</a>`} <span>Page ${page} of ${pages}</span> ${page < pages && html`<a href="${address(page + 1)}" rel="next">Next</a>`}</nav>`
  );
}

function rank({ shown }: ScenarioView): number {
  return shownStates.indexOf(shown);
}
