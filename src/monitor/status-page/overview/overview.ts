import { counted } from '../../../config/index.ts';
import { areaTitle } from '../../../spec/index.ts';
import { addressOf, type Filter, isFiltering, matches, pager } from '../filter.ts';
import { html, type Markup } from '../html.ts';
import { type EnvironmentView, type ScenarioView, scenariosOf, shownStates, type Tally, totalOf } from '../view.ts';
import { environmentSections, type Fill, scenarioLine } from './environment-sections.ts';

/** The state of everything in one sentence. */
export function overallText(of: Tally): string {
  const total = totalOf(of);
  const judged = total - of.skipped;
  if (of.down > 0) return `${of.down} of ${total} scenarios down`;
  if (of.unjudged > 0) return `${of.unjudged} of ${total} scenarios not judged`;
  if (of.degraded > 0) return `${of.degraded} of ${total} scenarios degraded`;
  if (of.unknown > 0) return `${of.unknown} of ${total} scenarios unknown`;
  if (of.pending > 0) return `${of.up} of ${total} scenarios up, the others have not run yet`;
  if (total === 0) return 'No scenarios are monitored';
  if (judged < total) return `${judged} of ${counted(total, 'scenario')} up, ${of.skipped} can no longer run`;
  const neverRan = of.neverRan > 0 ? `, ${of.neverRan} skipped` : '';
  return `${total === 1 ? '1 scenario' : `All ${total} scenarios`} up${neverRan}`;
}

/** Every scenario in folded areas, or those that a filter asks for. */
export function scenarioSections(environments: readonly EnvironmentView[], filter: Filter, filled: Fill): Markup {
  return isFiltering(filter)
    ? filteredLines(scenariosOf(environments), filter, filled)
    : environmentSections(environments, filter.page, filled);
}

/** Lines of a page. */
const LINES = 100;

/** The scenarios that a filter asks for, the gravest first, by pages. */
function filteredLines(all: readonly ScenarioView[], filter: Filter, filled: Fill): Markup {
  const found = all.filter((view) => matches(view, filter)).sort((a, b) => rank(a) - rank(b));
  const pages = Math.max(1, Math.ceil(found.length / LINES));
  const page = Math.min(filter.page, pages);
  const lines = filled(found.slice((page - 1) * LINES, page * LINES));
  const groups = Map.groupBy(lines, ({ known }) => `${known.environment} · ${areaTitle(known.area)}`);
  return html`<section aria-label="Scenarios found"><h2>${counted(found.length, 'scenario')} found</h2>
${[...groups].map(([title, views]) => html`<section class="area open"><h3>${title}</h3><ul class="lines">${views.map(scenarioLine)}</ul></section>`)}
${pager(page, pages, (to) => addressOf({ ...filter, page: to }))}</section>`;
}

function rank({ shown }: ScenarioView): number {
  return shownStates.indexOf(shown);
}
