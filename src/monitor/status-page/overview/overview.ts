import { counted } from '../../../config/index.ts';
import { areaTitle } from '../../../spec/index.ts';
import type { SelfHealth } from '../../status/self-health.ts';
import { addressOf, type Filter, filterForm, isFiltering, matches, pager } from '../filter.ts';
import { html, type Markup } from '../html.ts';
import { formula, state } from '../parts.ts';
import { type EnvironmentView, type ScenarioView, shownStates, type Tally, totalOf, worst } from '../view.ts';
import { environmentSections, scenarioLine } from './environment-sections.ts';

interface OverviewInput {
  readonly environments: readonly EnvironmentView[];
  /** `overallText` of them. */
  readonly headline: string;
  /** `openProblems`. */
  readonly problems: Markup;
  readonly health: SelfHealth;
  /** States and uptime only: no reasons, no addresses. */
  readonly isPublic: boolean;
  readonly filter: Filter;
  /** What can be asked of what is filtered for; absent: nothing. */
  readonly control: Markup | undefined;
  /** Reads the figures that are missing. */
  readonly filled: (views: readonly ScenarioView[]) => readonly ScenarioView[];
}

/** `/`: what is wrong first, then every scenario in folded areas. */
export function overview(input: OverviewInput): Markup {
  const { environments, headline, problems, health, isPublic, filter, control, filled } = input;
  const shown = worst(environments.map((environment) => environment.shown));
  const names = environments.map(({ name }) => name);
  return html`<h1 class="banner ${shown}" id="headline">${state(shown, headline)}</h1>
${!health.isWell && html`<p class="trouble" role="alert">The monitor itself has a problem${isPublic ? '' : `: ${health.problems.join('; ')}`}.</p>`}
${problems}
${filterForm(filter, names)}${control}
${isFiltering(filter) ? filteredLines(scenariosOf(environments), filter, filled) : environmentSections(environments, filter.page, filled)}
${formula()}`;
}

function scenariosOf(environments: readonly EnvironmentView[]): ScenarioView[] {
  return environments.flatMap(({ areas }) => areas.flatMap(({ scenarios }) => scenarios));
}

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

/** Lines of a page. */
const LINES = 100;

/** The scenarios that a filter asks for, the gravest first, by pages. */
function filteredLines(
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

function rank({ shown }: ScenarioView): number {
  return shownStates.indexOf(shown);
}
