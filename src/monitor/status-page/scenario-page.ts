import { phaseNames } from '../../client/index.ts';
import { counted } from '../../config/index.ts';
import { areaTitle } from '../../spec/index.ts';
import type { ErrorBudget } from '../history/error-budget.ts';
import type { FailureRow, RunRow } from '../history/runs.ts';
import type { Flip } from '../status/flip.ts';
import { errorBudgetText } from './error-budget-text.ts';
import { failingCall } from './failing-call.ts';
import { count, milliseconds, moment, percent } from './format.ts';
import { html, type Markup } from './html.ts';
import { bars, formula, retried, state, uptimes } from './parts.ts';
import { windows } from './status-summary.ts';
import type { ScenarioView } from './view.ts';

export interface ScenarioPageInput {
  readonly view: ScenarioView;
  readonly runs: readonly RunRow[];
  readonly failures: readonly FailureRow[];
  readonly flips: readonly Flip[];
  readonly budget: ErrorBudget;
  /** p50, p95 and p99 of a window, in ms. */
  readonly percentiles: readonly (readonly (number | undefined)[])[];
  readonly isPublic: boolean;
}

/** `/scenario/…`: one scenario in detail. */
export function scenarioPage({
  view,
  runs,
  failures,
  flips,
  budget,
  percentiles,
  isPublic,
}: ScenarioPageInput): Markup {
  const { known, shown, summary, isRetried } = view;
  return html`<p class="crumbs"><a href="/">Status</a> › ${known.environment} › ${areaTitle(known.area)}</p>
<h1 class="banner ${shown}">${state(shown, `${known.title}: ${shown}`)}${isRetried && retried()}</h1>
<section aria-label="Uptime">${bars(summary.days, known.title)}<div class="ends" aria-hidden="true"><span>90 days ago</span><span>today</span></div>${uptimes(summary)}${indicator(view)}${errorBudgetText(budget)}${formula()}</section>
<section><h2>Latency</h2>${latencyTable(view, percentiles)}</section>
${!isPublic && evidence(failures)}
<section><h2>State changes</h2>${changes(flips, isPublic)}</section>
${!isPublic && html`<section><h2>${last(runs.length, 'run')}</h2>${runTable(runs)}</section>`}`;
}

function indicator({ summary }: ScenarioView): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Service-level indicator"><table><caption>Service-level indicator: first attempts that passed ÷ first attempts that could be judged</caption>
<thead><tr><th scope="col">Window<th scope="col">Passed<th scope="col">Runs<th scope="col">Judged<th scope="col">Passed on retry<th scope="col">Degraded<th scope="col">Skipped<th scope="col">Missed</tr></thead>
<tbody>${summary.windows.map(
    ({ name, counts: { runs, judged, good, retried: again, degraded, skipped, missed } }) =>
      html`<tr><th scope="row">${name}<td>${percent(judged > 0 ? good / judged : undefined)}${[runs, judged, again, degraded, skipped, missed].map((value) => html`<td>${count(value)}`)}</tr>`,
  )}</tbody></table></div>`;
}

function latencyTable({ summary }: ScenarioView, percentiles: ScenarioPageInput['percentiles']): Markup {
  return html`<table><thead><tr><th scope="col">Window<th scope="col">p50<th scope="col">p95<th scope="col">p99<th scope="col">Runs</tr></thead>
<tbody>${windows.map(
    ({ name }, index) =>
      html`<tr><th scope="row">${name}${[0, 1, 2].map((column) => html`<td>${milliseconds(percentiles[index]?.[column])}`)}<td>${count(summary.windows[index]?.counts.judged ?? 0)}</tr>`,
  )}</tbody></table>`;
}

function evidence(failures: readonly FailureRow[]): Markup {
  if (failures.length === 0) return html`<section><h2>Failures</h2><p>None on record.</p></section>`;
  return html`<section><h2>${last(failures.length, 'failure')}</h2>${failures.map(
    ({ started, verdict, retry, grade, reason, curl, exchange }, index) =>
      html`<details${index === 0 && html` open`}><summary>${moment(started)} ${verdict}${retry && `, then ${retry}`}${grade && ` (${grade})`}</summary>
<p>${reason ?? ''}</p>${exchange && failingCall(exchange)}${curl && html`<pre tabindex="0"><code>${curl}</code></pre>`}</details>`,
  )}</section>`;
}

/** `Last run`, `Last 20 runs`. */
function last(count: number, noun: string): string {
  return count === 1 ? `Last ${noun}` : `Last ${counted(count, noun)}`;
}

function changes(flips: readonly Flip[], isPublic: boolean): Markup {
  if (flips.length === 0) return html`<p>None on record.</p>`;
  return html`<ul>${flips.map(
    ({ from, to, since, reason }) =>
      html`<li>${moment(since)}: ${from} → ${to}${!isPublic && reason && ` — ${reason}`}</li>`,
  )}</ul>`;
}

function runTable(runs: readonly RunRow[]): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Runs"><table><thead><tr><th scope="col">Started<th scope="col">Start delay<th scope="col">Verdict<th scope="col">Status<th scope="col">Duration${phaseNames.map((name) => html`<th scope="col">${name}`)}</tr></thead>
<tbody>${runs.map(
    ({ planned, started, verdict, retry, status, ms, phases }) =>
      html`<tr><td>${moment(started)}<td>${milliseconds(Math.max(0, started - planned))}<td>${verdict}${retry && `, then ${retry}`}<td>${status ?? '—'}<td>${milliseconds(ms)}${phaseNames.map((name) => html`<td>${milliseconds(phases?.[name])}`)}</tr>`,
  )}</tbody></table></div>`;
}
