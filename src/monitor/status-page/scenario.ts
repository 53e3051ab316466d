import { counted } from '../../environment/index.ts';
import { phaseNames } from '../../http/index.ts';
import { html, type Markup } from '../../run/index.ts';
import { areaTitle } from '../../service/index.ts';
import type { HistoryDatabase } from '../history/database.ts';
import { downSpans, flips } from '../history/incidents.ts';
import { isGood, lastFailures, lastRuns, type RunRow } from '../history/runs.ts';
import type { Monitor } from '../monitor.ts';
import { pastMaintenance } from '../recording/calendar.ts';
import type { Flip } from '../status/flip.ts';
import { statusOf } from '../status/status.ts';
import { durationText } from '../status/texts.ts';
import {
  dayBar,
  failureDetails,
  formula,
  latencySection,
  milliseconds,
  moment,
  percent,
  retried,
  state,
  uptimeText,
} from './components.ts';
import { type Figures, latencySeries, type Range, type WindowSummary, windowsOf } from './figures.ts';
import { addressOf } from './overview.ts';
import { isBad, type ScenarioView, scenarioPath, states } from './view.ts';

interface ScenarioAsked {
  readonly view: ScenarioView;
  readonly figures: Figures;
  readonly range: Range;
  readonly isPublic: boolean;
}

const RUNS = 50;
const FAILURES = 10;
/** How many spans of down time or maintenance a chart shows at most, because a reader could not distinguish more. */
const MARKS = 200;
/** How many announcements (e.g. of a release) the latency chart marks at most: the latest ones. Its legend lists the text of each. */
const ANNOUNCED = 10;

/** The page `/scenario/…`: one scenario in detail. If the scenario has a problem, the problem comes first. */
export function scenarioPage(
  { recorder: { db, calendar }, settings }: Pick<Monitor, 'recorder' | 'settings'>,
  asked: ScenarioAsked,
  now: number,
): Markup {
  const { view, figures, range, isPublic } = asked;
  const { known: knownScenario, shown, word = states[shown].word } = view;
  const { environment, area } = knownScenario;
  const series = latencySeries(db, knownScenario.id, range, now);
  const windows = windowsOf(db, knownScenario, now);
  const all = flips(db, knownScenario.id);
  const failures = lastFailures(db, knownScenario.id, FAILURES, now);
  const runs = lastRuns(db, knownScenario.id, RUNS, now);
  const inSeries = ({ to }: { readonly to: number }) => to > series.from;
  const marks = {
    down: downSpans(all).filter(inSeries).slice(-MARKS),
    maintenance: pastMaintenance(db, environment).filter(inSeries).slice(-MARKS),
    announced: calendar
      .of([environment], series.from)
      .filter(({ why }) => !isPublic && why)
      .slice(-ANNOUNCED)
      .map(({ start, why }) => ({ at: start, text: why })),
  };
  return html`<p class="crumbs"><a href="/">Status</a> › <a href="${addressOf({ environment })}">${environment}</a> › <a href="${addressOf({ environment, text: areaTitle(area) })}">${areaTitle(area)}</a></p>
<h1 class="banner ${shown}">${state(shown, `${knownScenario.title}: ${word.toLowerCase()}`)}${figures.isRetried && retried()}</h1>
${scenarioNow(db, asked, now, all.at(-1), failures[0], runs[0])}
${!isPublic && settings.token !== undefined && runForm(knownScenario)}
${latencySection(series, marks, scenarioPath(knownScenario))}
<section aria-labelledby="uptime-title"><h2 id="uptime-title">Uptime</h2>${dayBar(figures.days)}<div class="ends" aria-hidden="true"><span>90 days ago</span><span>today</span></div>${uptimes(windows)}${errorBudget(windows, settings.slo)}${formula()}</section>
<section><h2>State changes</h2>${changes(all.slice(-RUNS).reverse(), isPublic)}</section>
${!isPublic && evidence(isBad(view) ? failures.slice(1) : failures, isBad(view) ? 'Earlier problems' : 'Problems')}
${!isPublic && html`<section><h2>Latest runs</h2>${runTable(runs)}</section>`}`;
}

/** The button that runs the scenario at once. The page reloads itself, so it soon shows the result. */
function runForm(known: ScenarioView['known']): Markup {
  const { environment: env, title } = known;
  const fields = Object.entries({ env, scenario: title, back: scenarioPath(known) });
  return html`<form class="handling" method="post" action="/run">${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button>Run it now</button></form>`;
}

/** The facts that a person on call needs first: the reason, its start, the failing call, a command that repeats it, and the last good run. */
function scenarioNow(
  db: HistoryDatabase,
  { view, isPublic }: ScenarioAsked,
  now: number,
  lastFlip: Flip | undefined,
  lastFailure: RunRow | undefined,
  lastRun: RunRow | undefined,
): Markup {
  const { known, shown } = view;
  const blind = statusOf(known.standing) === 'down' ? undefined : known.standing.unjudgedSince;
  const since = blind ?? known.standing.slowSince ?? lastFlip?.since ?? known.firstRun;
  const failure = isBad(view) || shown === 'skipped' || shown === 'unproven' ? lastFailure : undefined;
  const lastGood = isBad(view) ? lastRuns(db, known.id, RUNS, blind ?? lastFlip?.since ?? now).find(isGood) : undefined;
  return html`<section class="now" aria-label="Now">
${failure?.reason && !isPublic && html`<p class="reason" tabindex="0">${failure.reason}</p>`}
<dl class="facts"><div><dt>${isBad(view) ? 'Since' : 'In this state since'}</dt><dd>${moment(since)} (${durationText(now - since)})</dd></div>
<div><dt>Last run</dt><dd>${lastRun ? html`${moment(lastRun.started)}: ${verdictsOf(lastRun)}, ${milliseconds(lastRun.ms)}` : 'none yet'}</dd></div>
${isBad(view) && html`<div><dt>Last good run</dt><dd>${lastGood ? html`${moment(lastGood.started)}, ${milliseconds(lastGood.ms)}` : 'none on record'}</dd></div>`}</dl>
${!isPublic && (failure?.exchange ?? failure?.curl) && html`<h2 class="minor">Failing call</h2>${failureDetails(failure)}`}</section>`;
}

/** The verdicts of a run: `failed, then passed`. */
function verdictsOf({ verdict, retry }: Pick<RunRow, 'verdict' | 'retry'>): string {
  return retry ? `${verdict}, then ${retry}` : verdict;
}

/** The uptime in each window of time. If a window contains no more data than the next shorter one, shows a dash. */
export function uptimes(windows: readonly WindowSummary[]): Markup {
  return html`<dl class="uptimes">${windows.map((window, index) => {
    const shorter = windows[index - 1];
    const isSame = shorter !== undefined && shorter.observedMs > 0 && window.observedMs < shorter.observedMs * 1.01;
    return html`<div><dt>${window.name}</dt><dd>${
      isSame
        ? html`<b>—</b><small>no older data</small>`
        : html`<b>${uptimeText(window)}</b><small>${counted(window.counts.runs, 'run')}</small>${window.withoutData > 0 && html`<small>${percent(window.withoutData)} without data</small>`}`
    }</dd></div>`;
  })}</dl>`;
}

/**
 * The error budget. It is computed from the service-level indicator, which is the share of passed runs among those that could be judged;
 * only the first attempt of a run matters.
 */
function errorBudget(windows: readonly WindowSummary[], slo: number): Markup {
  const { judged = 0, good = 0 } = windows.find(({ name }) => name === '30 d')?.counts ?? {};
  const used = judged === 0 ? 0 : (judged - good) / judged / (1 - slo);
  return html`<p class="budget">30-day error budget at an objective of ${percent(slo)}: ${used > 1 ? `overspent ${used.toFixed(1)} times` : `${percent(used)} used`} (${judged - good} bad of ${judged} first attempts).</p>`;
}

function changes(flips: readonly Flip[], isPublic: boolean): Markup {
  if (flips.length === 0) return html`<p>None on record.</p>`;
  return html`<ul>${flips.map(
    ({ from, to, since, reason }) =>
      html`<li>${moment(since)}: ${from} → ${to}${!isPublic && reason && ` — ${reason}`}</li>`,
  )}</ul>`;
}

function evidence(failures: readonly RunRow[], title: string): Markup {
  return html`<section><h2>${title}</h2>${failures.length === 0 && html`<p>None on record.</p>`}${failures.map(
    (failure) =>
      html`<details><summary>${moment(failure.started)} ${verdictsOf(failure)}${failure.grade && ` (${failure.grade})`}</summary>
<p>${failure.reason ?? ''}</p>${failureDetails(failure)}</details>`,
  )}</section>`;
}

function runTable(runs: readonly RunRow[]): Markup {
  const columns = ['Started', 'Verdict', 'Status', 'Duration', 'Start delay', ...phaseNames];
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${counted(runs.length, 'run')}"><table><thead><tr>${columns.map((name) => html`<th scope="col">${name}`)}</tr></thead>
<tbody>${runs.map((run) => {
    const times = [run.ms, Math.max(0, run.started - run.planned), ...phaseNames.map((name) => run.phases?.[name])];
    return html`<tr><td>${moment(run.started)}<td>${verdictsOf(run)}<td>${run.status ?? '—'}${times.map((ms) => html`<td>${milliseconds(ms)}`)}</tr>`;
  })}</tbody></table></div>`;
}
