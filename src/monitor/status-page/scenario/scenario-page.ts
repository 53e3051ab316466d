import { phaseNames } from '../../../client/index.ts';
import { counted } from '../../../config/index.ts';
import { areaTitle } from '../../../spec/index.ts';
import type { ErrorBudget } from '../../history/error-budget.ts';
import type { FailureRow, RunRow } from '../../history/runs.ts';
import { type Burn, burnRate } from '../../status/burn-rate.ts';
import { durationText } from '../../status/duration-text.ts';
import type { Flip } from '../../status/flip.ts';
import { statusOf } from '../../status/status.ts';
import type { Marks } from '../charts/chart-frame.ts';
import { latencySection } from '../charts/latency-section.ts';
import type { LatencySeries } from '../charts/latency-series.ts';
import { addressOf } from '../filter.ts';
import { count, milliseconds, moment, percent, runsText, share, uptimeText } from '../format.ts';
import { html, type Markup } from '../html.ts';
import { failingCall, formula, retried, state } from '../parts.ts';
import { isBad, type ScenarioView } from '../view.ts';
import type { DaySummary, StatusSummary } from './figures.ts';

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

interface NowInput {
  readonly view: ScenarioView;
  /** The change to the present status, if there was one. */
  readonly lastFlip: Flip | undefined;
  readonly lastFailure: FailureRow | undefined;
  readonly lastRun: RunRow | undefined;
  readonly lastGood: RunRow | undefined;
  readonly now: number;
  readonly isPublic: boolean;
}

/** What somebody on call looks for first: reason, since when, the failing call, how to repeat it, the last good run. */
function scenarioNow({ view, lastFlip, lastFailure, lastRun, lastGood, now, isPublic }: NowInput): Markup {
  const { known, shown } = view;
  const blind = statusOf(known.standing) === 'down' ? undefined : known.standing.unjudgedSince;
  const since = blind ?? lastFlip?.since ?? known.firstRun;
  const failure = isBad(view) || shown === 'skipped' ? lastFailure : undefined;
  return html`<section class="now" aria-label="Now">
${failure?.reason && !isPublic && html`<p class="reason">${failure.reason}</p>`}
<dl class="facts"><div><dt>${isBad(view) ? 'Since' : 'In this state since'}</dt><dd>${moment(since)} (${durationText(Math.max(0, now - since))})</dd></div>
<div><dt>Last run</dt><dd id="last-run">${lastRun ? html`${moment(lastRun.started)}: ${lastRun.verdict}${lastRun.retry && `, then ${lastRun.retry}`}, ${milliseconds(lastRun.ms)}` : 'none yet'}</dd></div>
${isBad(view) && html`<div><dt>Last good run</dt><dd>${lastGood ? html`${moment(lastGood.started)}, ${milliseconds(lastGood.ms)}` : 'none on record'}</dd></div>`}</dl>
${failure && !isPublic && html`<h2 class="minor">Failing call</h2>${failureDetails(failure)}`}</section>`;
}

/** The failing call, and the line that repeats it. */
function failureDetails({ curl, exchange }: FailureRow): Markup {
  return html`${exchange && failingCall(exchange)}${curl && html`<div class="curl"><pre tabindex="0"><code>${curl}</code></pre><button type="button" class="copy">Copy</button></div>`}`;
}

const words: Readonly<Record<Burn, string>> = {
  fast: 'burning fast: at this rate it is gone within days',
  slow: 'burning too fast to last 30 days',
  none: 'not burning too fast',
};

function errorBudgetText({ slo, month, burn }: ErrorBudget): Markup {
  const used = burnRate(month, slo);
  return html`<p class="budget">30-day error budget at an objective of ${percent(slo)}: ${used > 1 ? `overspent ${used.toFixed(1)} times` : `${share(used)} used`} (${count(month.bad)} bad of ${count(month.judged)} first attempts); ${words[burn]}.</p>`;
}

/** One bar per day, each with a title; the label sums them up for screen readers. */
export function bars(days: readonly DaySummary[], label: string): Markup {
  const shown = days.filter(({ runs }) => runs > 0);
  const worst = shown.reduce<DaySummary | undefined>(
    (a, b) => (a && (a.ratio ?? 1) <= (b.ratio ?? 1) ? a : b),
    undefined,
  );
  const summary = worst
    ? `${label}: 90 days, ${shown.length} with runs; the worst day is ${dayOf(worst)} with ${percent(worst.ratio)} uptime`
    : `${label}: 90 days, none with runs`;
  return html`<svg class="bars" viewBox="0 0 ${days.length * 4} 32" preserveAspectRatio="none" role="img" aria-label="${summary}">${days.map(
    (day, index) =>
      html`<rect x="${index * 4}" y="0" width="3" height="32" class="${colour(day)}"><title>${dayOf(day)}: ${day.runs === 0 ? 'no data' : `${percent(day.ratio)} up, ${runsText(day.runs)}, ${share(day.withoutData)} without data`}</title></rect>`,
  )}</svg>`;
}

function colour({ ratio, runs }: DaySummary): string {
  if (runs === 0 || ratio === undefined) return 'none';
  if (ratio === 1) return 'up';
  return ratio >= 0.99 ? 'degraded' : 'down';
}

const dayOf = ({ start }: DaySummary) => new Date(start).toISOString().slice(0, 10);

/** Uptime by window; a window that holds no more data than the shorter one before it has nothing to show. */
export function uptimes({ windows }: Pick<StatusSummary, 'windows'>): Markup {
  return html`<dl class="uptimes">${windows.map((window, index) => {
    const shorter = windows[index - 1];
    const isSame = shorter !== undefined && shorter.observedMs > 0 && window.observedMs < shorter.observedMs * 1.01;
    return html`<div><dt>${window.name}</dt><dd>${
      isSame
        ? html`<b>—</b><small>no older data</small>`
        : html`<b>${uptimeText(window)}</b><small>${runsText(window.counts.runs)}</small>${window.withoutData > 0 && html`<small>${share(window.withoutData)} without data</small>`}`
    }</dd></div>`;
  })}</dl>`;
}
