import { counted } from '../../config/index.ts';
import type { SelfHealth } from '../self-health.ts';
import { environmentSections } from './environment-sections.ts';
import { type Filter, isFiltering } from './filter.ts';
import { filterForm } from './filter-form.ts';
import { filteredLines } from './filtered-lines.ts';
import { html, type Markup } from './html.ts';
import type { OpenProblem } from './open-problems.ts';
import { formula, state } from './parts.ts';
import { emptyCard, problemCards } from './problem-card.ts';
import { emptyLine } from './scenario-line.ts';
import { totalOf } from './tally.ts';
import { type EnvironmentView, type ScenarioView, type Tally, worst } from './view.ts';

export interface OverviewInput {
  readonly environments: readonly EnvironmentView[];
  /** `overallText` of them. */
  readonly headline: string;
  readonly problems: readonly OpenProblem[];
  readonly health: SelfHealth;
  /** States and uptime only: no reasons, no addresses. */
  readonly isPublic: boolean;
  readonly filter: Filter;
  /** What can be asked of what is filtered for; absent: nothing. */
  readonly control: Markup | undefined;
  /** Reads the figures that are missing. */
  readonly filled: (views: readonly ScenarioView[]) => readonly ScenarioView[];
}

/** `/`: what is wrong first, then every scenario in folded areas; in pieces of bounded size. */
export function overview(input: OverviewInput): Markup[] {
  const { environments, headline, problems, health, isPublic, filter, control, filled } = input;
  const shown = worst(environments.map((environment) => environment.shown));
  const names = environments.map(({ name }) => name);
  return [
    html`<h1 class="banner ${shown}" id="headline">${state(shown, headline)}</h1>
${!health.isWell && html`<p class="trouble" role="alert">The monitor itself has a problem${isPublic ? '' : `: ${health.problems.join('; ')}`}.</p>`}
${problemCards(problems)}${emptyCard(isPublic)}${emptyLine()}
${filterForm(filter, names)}${control}`,
    ...(isFiltering(filter)
      ? [filteredLines(scenariosOf(environments), filter, filled)]
      : environmentSections(environments, filter.page, filled)),
    formula(),
  ];
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
