import { verdicts } from '../../client/index.ts';
import { counted } from '../../config/index.ts';
import type { SelfHealth } from '../self-health.ts';
import { milliseconds, moment } from './format.ts';
import { html, type Markup } from './html.ts';
import { bars, formula, retried, sparkline, state, uptimes } from './parts.ts';
import type { StatusSummary } from './status-summary.ts';
import { type AreaView, type EnvironmentView, type ScenarioView, worst } from './view.ts';

export interface OverviewInput {
  readonly environments: readonly EnvironmentView[];
  readonly health: SelfHealth;
  /** States and uptime only: no reasons, no addresses. */
  readonly isPublic: boolean;
}

/** `/`: the state of every environment. */
export function overview({ environments, health, isPublic }: OverviewInput): Markup {
  const scenarios = environments.flatMap(({ areas }) => areas.flatMap((area) => area.scenarios));
  const shown = worst(scenarios.map((scenario) => scenario.shown));
  return html`<h1 class="banner ${shown}">${state(shown, overallText(scenarios))}</h1>
${!health.isWell && html`<p class="trouble" role="alert">The monitor itself has a problem${isPublic ? '' : `: ${health.problems.join('; ')}`}.</p>`}
${environments.map((environment) => environmentSection(environment, isPublic))}
${formula()}`;
}

/** The state of everything in one sentence. */
export function overallText(all: readonly Pick<ScenarioView, 'shown' | 'neverRan'>[]): string {
  const scenarios = all.filter(({ neverRan }) => !neverRan);
  const of = (shown: ScenarioView['shown']) => scenarios.filter((scenario) => scenario.shown === shown).length;
  const total = scenarios.length;
  const judged = total - of('skipped');
  if (of('down') > 0) return `${of('down')} of ${total} scenarios down`;
  if (of('degraded') > 0) return `${of('degraded')} of ${total} scenarios degraded`;
  if (of('unknown') > 0) return `${of('unknown')} of ${total} scenarios unknown`;
  if (of('pending') > 0) return `${of('up')} of ${total} scenarios up, the others have not run yet`;
  if (total === 0) return 'No scenarios are monitored';
  if (judged < total) return `${judged} of ${counted(total, 'scenario')} up, ${of('skipped')} can no longer run`;
  const neverRan = all.length > total ? `, ${all.length - total} skipped` : '';
  return `${total === 1 ? '1 scenario' : `All ${total} scenarios`} up${neverRan}`;
}

function environmentSection({ name, areas, maintenance }: EnvironmentView, isPublic: boolean): Markup {
  return html`<section class="environment" aria-labelledby="environment-${name}">
<h2 id="environment-${name}">${name}</h2>
${maintenance && html`<p class="maintenance">Maintenance until ${moment(maintenance.to)}: runs continue, alerts are off, and uptime excludes it.</p>`}
<div class="areas">${areas.map((area) => areaSection(area, name, isPublic))}</div>
</section>`;
}

function areaSection({ id, title, shown, scenarios }: AreaView, environment: string, isPublic: boolean): Markup {
  return html`<section class="area" aria-labelledby="area-${environment}-${id}">
<h3 id="area-${environment}-${id}">${title} ${state(shown)}</h3>
${scenarios.map((scenario) => scenarioCard(scenario, isPublic))}
</section>`;
}

/** Rendered cards, kept per summary: most scenarios haven't changed since the last request. */
const cards = new WeakMap<StatusSummary, Map<string, Markup>>();

function scenarioCard(view: ScenarioView, isPublic: boolean): Markup {
  const made = cards.get(view.summary) ?? new Map<string, Markup>();
  cards.set(view.summary, made);
  const key = `${view.shown} ${isPublic}`;
  const card = made.get(key) ?? makeCard(view, isPublic);
  made.set(key, card);
  return card;
}

function makeCard({ known, shown, path, isRetried, summary }: ScenarioView, isPublic: boolean): Markup {
  const { days, hours, p50, p95, lastFailure } = summary;
  return html`<article class="scenario ${shown}">
<h4><a href="${path}">${known.title}</a> ${state(shown)}${isRetried && retried()}</h4>
${bars(days, known.title)}
<div class="ends" aria-hidden="true"><span>90 days ago</span><span>today</span></div>
${uptimes(summary)}
<div class="latency">${sparkline(hours, known.title)}<span>24 h: p50 <b>${milliseconds(p50)}</b> p95 <b>${milliseconds(p95)}</b></span></div>
${lastFailure && html`<p class="last">${verdicts[lastFailure.verdict].ran ? 'Last failure' : 'Skipped'} ${moment(lastFailure.started)}${!isPublic && lastFailure.reason ? html`: ${lastFailure.reason}` : ''}</p>`}
</article>`;
}
