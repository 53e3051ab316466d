import { counted } from '../../../config/index.ts';
import { addressOf, pager } from '../filter.ts';
import { milliseconds, moment, uptimeText } from '../format.ts';
import { html, type Markup } from '../html.ts';
import { retried, state } from '../parts.ts';
import { worstDays } from '../scenario/figures.ts';
import { type AreaView, type EnvironmentView, isBad, type ScenarioView, shownStates } from '../view.ts';

/** Up to so many scenarios, every line is in the page; of more, only what is bad. */
const ALL_LINES = 100;
/** Lines of what is bad, of one page. */
const MOST_LINES = 60;
/** Up to so many environments, every area is in the page; of more, only what is bad. */
const ALL_AREAS = 12;
/** Environments of one page. */
const ENVIRONMENTS = 200;

type Fill = (views: readonly ScenarioView[]) => readonly ScenarioView[];

/** Every environment with its areas, folded where all is well; one piece of markup for each open one. */
export function environmentSections(all: readonly EnvironmentView[], page: number, filled: Fill): Markup[] {
  const pages = Math.max(1, Math.ceil(all.length / ENVIRONMENTS));
  const current = Math.min(page, pages);
  const rank = (one: EnvironmentView) => (one.isBad ? shownStates.indexOf(one.shown) : shownStates.length);
  const sorted = [...all].sort((a, b) => rank(a) - rank(b));
  const shown = sorted.slice((current - 1) * ENVIRONMENTS, current * ENVIRONMENTS);
  const budget = new LineBudget(
    all.reduce((sum, { areas }) => sum + sizeOf(areas), 0),
    filled,
  );
  const isWhole = all.length <= ALL_AREAS;
  const sections: Markup[] = [];
  const rest: EnvironmentView[] = [];
  for (const environment of shown)
    if (isWhole || (environment.isBad && budget.left > 0))
      sections.push(environmentSection(environment, budget, isWhole));
    else rest.push(environment);
  return [
    ...sections,
    ...(rest.length > 0 ? [environmentList(rest)] : []),
    html`${pager(current, pages, (to) => addressOf({ page: to }))}`,
  ];
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
  const { name, areas, counts, maintenance } = environment;
  const bad = areas.filter((area) => area.isBad);
  const well = areas.filter((area) => !area.isBad);
  return html`<section class="environment" aria-labelledby="environment-${name}">
<h2 id="environment-${name}">${name}${!isWhole && html` <span class="counts">${counts}</span>`}</h2>
${maintenance && html`<p class="maintenance">Maintenance until ${moment(maintenance.to)}: runs continue, alerts are off, and uptime excludes it.</p>`}
${[...bad, ...(isWhole ? well : [])].map((area) => areaFold(area, name, budget))}${!isWhole && well.length > 0 && html`<p class="rest"><a href="${addressOf({ environment: name })}">Show ${counted(well.length, 'more area')}</a></p>`}</section>
`;
}

function areaFold(area: AreaView, environment: string, budget: LineBudget): Markup {
  const { id, title, shown, counts, scenarios } = area;
  const lines = budget.take(area);
  const rest = scenarios.length - lines.length;
  const days = scenarios.flatMap(({ figures }) => figures?.days ?? []);
  return html`<details class="area" id="area-${environment}-${id}"${area.isBad && html` open`}><summary>${state(shown, title)}<span class="counts">${counts}</span>${days.length > 0 && dayBar(worstDays(days))}</summary>
<ul class="lines">${lines.map(scenarioLine)}</ul>${rest > 0 && html`<p class="rest"><a href="${addressOf({ environment, area: id })}">${lines.length > 0 ? `${counted(rest, 'more scenario')}` : `Show ${counted(rest, 'scenario')}`}</a></p>`}</details>
`;
}

/** Environments as links, a line each. */
function environmentList(all: readonly EnvironmentView[]): Markup {
  return html`<section aria-label="Environments"><ul class="environments">${all.map(
    ({ name, shown, counts, maintenance }) =>
      html`<li class="${shown}" id="environment-${name}"><a href="${addressOf({ environment: name })}">${name}</a><span class="counts">${counts}${maintenance && ', maintenance'}</span></li>
`,
  )}</ul></section>`;
}

function sizeOf(areas: readonly AreaView[]): number {
  return areas.reduce((sum, { scenarios }) => sum + scenarios.length, 0);
}

/** The figures of a line as text: what events change on an open page. */
export function lineFigures({ figures }: Pick<ScenarioView, 'figures'>): {
  readonly uptime: string;
  readonly p95: string;
} {
  return {
    uptime: figures ? uptimeText(figures.quarter) : '…',
    p95: figures ? milliseconds(figures.p95) : '…',
  };
}

/** One line: state, name, 90 days, uptime, p95. */
export function scenarioLine(view: ScenarioView): Markup {
  const { known, shown, path, figures } = view;
  const { uptime, p95 } = lineFigures(view);
  return html`<li class="line ${shown}" id="s${known.id}">${state(shown)}<a href="${path}">${known.title}</a>${figures?.isRetried && retried()}${figures ? dayBar(figures.days) : html`<span class="daybar"></span>`}<span class="uptime">${uptime}</span><span class="p95">${p95}</span></li>
`;
}

/** An empty line that the page's script fills. */
export function emptyLine(): Markup {
  return html`<template id="line"><li class="line">${state('pending')}<a></a><span class="daybar"></span><span class="uptime">…</span><span class="p95">…</span></li></template>`;
}

const classes = { '-': 'none', u: 'up', p: 'degraded', d: 'down' } as const;
const words = { u: 'up', p: 'partly down', d: 'down' } as const;

/** A bar of days, a `DayCode` each: few bytes, because days in a row with one code are one stroke, dashed into days. */
export function dayBar(days: string): Markup {
  const strokes = new Map<string, string>();
  for (const { code, at, length } of stretches(days)) strokes.set(code, `${strokes.get(code) ?? ''}M${at} 5h${length}`);
  return html`<svg class="daybar" viewBox="0 0 ${days.length} 10" preserveAspectRatio="none" role="img" aria-label="${summary(days)}">${[...strokes].map(([code, path]) => html`<path class="${classes[code as keyof typeof classes]}" d="${path}"/>`)}</svg>`;
}

/** Stretches of equal days, in order. */
export function stretches(days: string): { readonly code: string; readonly at: number; readonly length: number }[] {
  return [...days.matchAll(/(.)\1*/g)].map(({ 0: text, 1: code = '', index }) => ({
    code,
    at: index,
    length: text.length,
  }));
}

/** `90 days: 88 up, 1 down, 1 without data`. */
function summary(days: string): string {
  const counts = (['u', 'p', 'd'] as const).flatMap((code) => {
    const count = days.split(code).length - 1;
    return count > 0 ? [`${count} ${words[code]}`] : [];
  });
  const without = days.split('-').length - 1;
  return `${days.length} days: ${[...counts, ...(without > 0 ? [`${without} without data`] : [])].join(', ')}`;
}
