import { phaseNames } from '../../client/index.ts';
import { counted } from '../../config/index.ts';
import { areaTitle } from '../../spec/index.ts';
import type { ErrorBudget } from '../history/error-budget.ts';
import type { FailureRow, RunRow } from '../history/runs.ts';
import type { Flip } from '../status/flip.ts';
import type { Marks } from './charts/chart-frame.ts';
import type { LatencySeries } from './charts/latency-series.ts';
import { errorBudgetText } from './error-budget-text.ts';
import { addressOf } from './filter.ts';
import { count, milliseconds, moment, percent } from './format.ts';
import { html, type Markup } from './html.ts';
import { latencySection } from './latency-section.ts';
import { bars, formula, retried, state, uptimes } from './parts.ts';
import { failureDetails, scenarioNow } from './scenario-now.ts';
import type { StatusSummary } from './status-summary.ts';
import { isBad, type ScenarioView } from './view.ts';

export interface ScenarioPageInput {
  readonly view: ScenarioView;
  readonly summary: StatusSummary;
  /** Latest first. */
  readonly runs: readonly RunRow[];
  /** Latest first. */
  readonly failures: readonly FailureRow[];
  /** Latest first. */
  readonly flips: readonly Flip[];
  readonly lastGood: RunRow | undefined;
  readonly budget: ErrorBudget;
  readonly series: LatencySeries;
  readonly marks: Marks;
  readonly now: number;
  readonly isPublic: boolean;
}

/** `/scenario/…`: one scenario in detail, what is wrong with it first; in pieces of bounded size. */
export function scenarioPage(input: ScenarioPageInput): Markup[] {
  const { view, summary, runs, failures, flips, lastGood, budget, series, marks, now, isPublic } = input;
  const { known, shown, path, figures } = view;
  const { environment, area } = known;
  const [lastFlip, lastRun] = [flips[0], runs[0]];
  const past = isBad(view) ? failures.slice(1) : failures;
  return [
    html`<p class="crumbs"><a href="/">Status</a> › <a href="${addressOf({ environment })}">${environment}</a> › <a href="${addressOf({ environment, area })}">${areaTitle(area)}</a></p>
<h1 class="banner ${shown}">${state(shown, `${known.title}: ${shown}`)}${figures?.isRetried && retried()}</h1>
${scenarioNow({ view, lastFlip, lastFailure: failures[0], lastRun, lastGood, now, isPublic })}`,
    ...latencySection(series, marks, path),
    html`<section aria-labelledby="uptime-title"><h2 id="uptime-title">Uptime</h2>${bars(summary.days, known.title)}<div class="ends" aria-hidden="true"><span>90 days ago</span><span>today</span></div>${uptimes(summary)}${errorBudgetText(budget)}<details><summary>Service-level indicator</summary>${indicator(summary)}${formula()}</details></section>
<section><h2>State changes</h2>${changes(flips, isPublic)}</section>
${!isPublic && evidence(past, isBad(view) ? 'Earlier failures' : 'Failures')}`,
    ...(isPublic ? [] : [html`<section><h2>Latest runs</h2>${runTable(runs)}</section>`]),
  ];
}

function indicator({ windows }: StatusSummary): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Service-level indicator"><table><caption>First attempts that passed ÷ first attempts that could be judged</caption>
<thead><tr><th scope="col">Window<th scope="col">Passed<th scope="col">Runs<th scope="col">Judged<th scope="col">Passed on retry<th scope="col">Degraded<th scope="col">Skipped<th scope="col">Missed</tr></thead>
<tbody>${windows.map(
    ({ name, counts: { runs, judged, good, retried: again, degraded, skipped, missed } }) =>
      html`<tr><th scope="row">${name}<td>${percent(judged > 0 ? good / judged : undefined)}${[runs, judged, again, degraded, skipped, missed].map((value) => html`<td>${count(value)}`)}</tr>`,
  )}</tbody></table></div>`;
}

function evidence(failures: readonly FailureRow[], title: string): Markup {
  return html`<section><h2>${title}</h2>${failures.length === 0 && html`<p>None on record.</p>`}${failures.map(
    (
      failure,
    ) => html`<details><summary>${moment(failure.started)} ${failure.verdict}${failure.retry && `, then ${failure.retry}`}${failure.grade && ` (${failure.grade})`}</summary>
<p>${failure.reason ?? ''}</p>${failureDetails(failure)}</details>`,
  )}</section>`;
}

function changes(flips: readonly Flip[], isPublic: boolean): Markup {
  if (flips.length === 0) return html`<p>None on record.</p>`;
  return html`<ul class="changes">${flips.map(
    ({ from, to, since, reason }) =>
      html`<li>${moment(since)}: ${from} → ${to}${!isPublic && reason && ` — ${reason}`}</li>`,
  )}</ul>`;
}

function runTable(runs: readonly RunRow[]): Markup {
  return html`<div class="scroll" id="runs" tabindex="0" role="region" aria-label="${counted(runs.length, 'run')}"><table><thead><tr><th scope="col">Started<th scope="col">Verdict<th scope="col">Status<th scope="col">Duration<th scope="col">Start delay${phaseNames.map((name) => html`<th scope="col">${name}`)}</tr></thead>
<tbody>${runs.map(
    ({ planned, started, verdict, retry, status, ms, phases }) =>
      html`<tr><td>${moment(started)}<td>${verdict}${retry && `, then ${retry}`}<td>${status ?? '—'}<td>${milliseconds(ms)}<td>${milliseconds(Math.max(0, started - planned))}${phaseNames.map((name) => html`<td>${milliseconds(phases?.[name])}`)}</tr>`,
  )}</tbody></table></div>`;
}
