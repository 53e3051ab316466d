import { counted } from '../../environment/index.ts';
import { familyOf, html, type Markup, traceLine } from '../../run/index.ts';
import { areaTitle } from '../../service/index.ts';
import { responseLine } from '../../verdict/index.ts';
import { verdictText } from '../alerting/notice-lines.ts';
import { environmentsOf, environmentsText, incidentTitle } from '../alerting/wording.ts';
import type { KeptExchange, RunRow } from '../history/runs.ts';
import type { Incident } from '../status/incident.ts';
import { cut, durationText, utcText } from '../status/texts.ts';
import { type Span, type Uptime, uptimeFormula } from '../status/uptime.ts';
import {
  type DayCode,
  type Figures,
  type LatencySeries,
  type Percentiles,
  percentileNames,
  ranges,
} from './figures.ts';
import { type ScenarioView, type Shown, scenarioPath, shownStates, states } from './view.ts';

// Figures as text

/** A ratio as a percentage: `99.95 %`. It is never rounded up to 100 %, because that would hide a failure. */
export function percent(ratio: number | undefined): string {
  if (ratio === undefined) return '—';
  if (ratio === 1) return '100\u00a0%';
  const digits = ratio > 0.99 ? 3 : 2;
  const floored = Math.floor(ratio * 100 * 10 ** digits) / 10 ** digits;
  return `${floored.toFixed(digits).replace(/(\.\d\d)0$/, '$1')}\u00a0%`;
}

/** An uptime as a percentage. If there is no data for most of the window, adds how much time the percentage covers: `100 % of 2 h`. */
export function uptimeText({ ratio, withoutData, observedMs }: Uptime): string {
  if (ratio === undefined) return '—';
  return withoutData > 0.5 ? `${percent(ratio)} of ${durationText(observedMs)}` : percent(ratio);
}

export function milliseconds(ms: number | undefined): string {
  if (ms === undefined) return '—';
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms >= 100 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
}

/** A moment in UTC, to the second, as a `time` element. */
export function moment(at: number): Markup {
  return html`<time datetime="${new Date(at).toISOString()}">${utcText(at)}</time>`;
}

// States of scenarios, and their days

/** Each state also has a distinct shape, for readers who can’t distinguish the colours. */
const shapes: Readonly<Record<Shown, string>> = {
  up: 'M3.5 8.5l3 3 6-7',
  degraded: 'M8 3v6M8 12v.5',
  down: 'M4 4l8 8M12 4l-8 8',
  unjudged: 'M5.5 6a2.5 2.5 0 1 1 3.4 2.3c-.6.3-.9.7-.9 1.4M5 12.4h6',
  unknown: 'M5.5 6a2.5 2.5 0 1 1 3.4 2.3c-.6.3-.9.7-.9 1.4M8 12.4v.2',
  pending: 'M4 8h.2M8 8h.2M12 8h.2',
  unproven: 'M5.5 6a2.5 2.5 0 1 1 3.4 2.3c-.6.3-.9.7-.9 1.4',
  skipped: 'M5 4.5l3.5 3.500L5 11.500M11 4.500v7',
};

function stateSymbols(): Markup {
  return html`<svg class="unseen" aria-hidden="true">${shownStates.map((shown) => html`<symbol id="is-${shown}" viewBox="0 0 16 16"><circle cx="8" cy="8" r="8"/><path d="${shapes[shown]}"/></symbol>`)}</svg>`;
}

export function state(shown: Shown, word: string = states[shown].word): Markup {
  return html`<span class="state ${shown}"><svg aria-hidden="true"><use href="#is-${shown}"/></svg><span>${word}</span></span>`;
}

export function retried(): Markup {
  return html`<span class="retried">passed on retry</span>`;
}

/** A scenario in one line: state, name, 90 days, uptime and p95. Adds the reason if the scenario is degraded, except on a public page. */
export function scenarioLine({ known, shown, word }: ScenarioView, figures: Figures, isPublic: boolean): Markup {
  return html`<li class="line ${shown}" id="s${known.id}">${state(shown, word)}<a href="${scenarioPath(known)}">${known.title}</a>${figures.isRetried && retried()}${dayBar(figures.days)}<span class="uptime">${uptimeText(figures.quarter)}</span><span class="p95">${milliseconds(figures.p95)}</span>${shown === 'degraded' && !isPublic && figures.reason && html`<p class="reason">${cut(figures.reason, REASON)}</p>`}</li>
`;
}

/** The style and the word of a day in a bar. */
const dayCodes: Readonly<Record<DayCode, { readonly style: string; readonly word: string }>> = {
  u: { style: 'up', word: 'up' },
  p: { style: 'degraded', word: 'partly down' },
  d: { style: 'down', word: 'down' },
  '-': { style: 'none', word: 'without data' },
};

/** A bar with a `DayCode` for each day. To save bytes, successive days with the same code are a single stroke, dashed into days. */
export function dayBar(days: string): Markup {
  const codes = (Object.keys(dayCodes) as DayCode[]).filter((code) => days.includes(code));
  const label = codes.map((code) => `${days.split(code).length - 1} ${dayCodes[code].word}`).join(', ');
  const paths = codes.map((code) => {
    const strokes = days
      .matchAll(new RegExp(`${code}+`, 'g'))
      .map(({ 0: equal, index }) => `M${index} 5h${equal.length}`);
    return html`<path class="${dayCodes[code].style}" d="${[...strokes].join('')}"/>`;
  });
  return html`<svg class="daybar" viewBox="0 0 ${days.length} 10" preserveAspectRatio="none" role="img" aria-label="${days.length} days: ${label}">${paths}</svg>`;
}

export function formula(): Markup {
  return html`<p class="formula">Uptime = ${uptimeFormula}. All windows end now; runs are counted in whole hours (24 h) or whole days (longer windows).</p>`;
}

// Failures and incidents

/** A failing call, and the curl command that repeats it. */
export function failureDetails({ curl, exchange }: Pick<RunRow, 'curl' | 'exchange'>): Markup {
  return html`${exchange && failingCall(exchange)}${curl && curlBlock(curl)}`;
}

function failingCall({ operation, request, answer, failure, durationMs, serverAddress, trace }: KeptExchange): Markup {
  const parsed = { ok: false, problem: '' } as const;
  const line = answer && responseLine({ ...answer, body: { ...answer.body, bytes: 0, json: parsed } }, 1_000);
  return html`<pre tabindex="0">${operation}: ${request.method} ${request.url}
${line ?? `no response: ${failure?.reason ?? ''} (${failure?.phase ?? ''})`}
${milliseconds(durationMs)}${serverAddress && `, from ${serverAddress}`}</pre>
${traceLine(trace)}`;
}

function curlBlock(curl: string): Markup {
  return html`<div class="curl"><pre tabindex="0"><code>${curl}</code></pre><button type="button" class="copy">Copy</button></div>`;
}

/** Maximum length of a reason and of a call on the overview, in characters. The page of the incident or scenario shows the whole text. */
const REASON = 220;
const CALL = 2_000;
/** How many scenarios the card of an incident names. */
const NAMED = 4;

/** An open incident on the overview. A public page shows neither reason nor call. */
export function incidentCard(incident: Incident, isPublic: boolean): Markup {
  const { id, since, cause, acknowledged } = incident;
  const environments = environmentsOf(incident.subject);
  const hits = incident.open;
  const [first] = hits;
  const names = hits.slice(0, NAMED).map(({ scenario }, index) => {
    const name = `${environments.length > 1 ? `${scenario.environment}: ` : ''}${scenario.title}`;
    return html`${index > 0 && ', '}<a href="${scenarioPath(scenario)}">${name}</a>`;
  });
  const rest = hits.length - names.length;
  const areas = new Set(hits.map(({ area }) => areaTitle(area)));
  const title = isPublic ? [...areas].join(', ') : incidentTitle(incident);
  return html`<article class="problem ${familyOf(cause)}" id="incident-${id}">
<h2>${state(familyOf(cause), '')}<a href="/incidents/${id}">${environmentsText(environments)}: ${title}</a></h2>
${first && !isPublic && html`<p class="reason">${cut(first.reason ?? verdictText(first.verdict, first.grade, undefined), REASON)}</p>`}
<p class="facts">since ${moment(since)} · ${counted(hits.length, 'scenario')}: ${names}${rest > 0 && ` and ${rest} more`}</p>
${acknowledged && !isPublic && handlingText(incident)}
${first?.curl && !isPublic && first.curl.length <= CALL && html`<details><summary>Repeat the call</summary>${curlBlock(first.curl)}</details>`}
</article>
`;
}

export function handlingText({ acknowledged }: Pick<Incident, 'acknowledged'>): Markup {
  return html`<p class="facts">${acknowledged ? html`Acknowledged by ${acknowledged.person}, ${moment(acknowledged.at)}.` : 'Not acknowledged.'}</p>`;
}

// The chart of latencies

export interface Marks {
  readonly down: readonly Span[];
  readonly maintenance: readonly Span[];
  /** Announcements, e.g. of a release. */
  readonly announced: readonly { readonly at: number; readonly text: string }[];
}

/** Width and height of a plot in its own units: the browser stretches the plot to the page. */
const WIDTH = 1_000;
const HEIGHT = 200;

export function latencySection(series: LatencySeries, { down, maintenance, announced }: Marks, path: string): Markup {
  const key = (kind: string, text: string) => html`<span class="key ${kind}">${text}</span> `;
  return html`<section id="latency" aria-labelledby="latency-title"><h2 id="latency-title">Latency</h2>
<nav class="ranges" aria-label="Range">${ranges.map(({ name, title }) => html`<a href="${path}?range=${name}#latency"${name === series.range.name && html` aria-current="true"`}>${title}</a>`)}</nav>
<figure><figcaption>Calls of a run, without the suite’s own time: ${percentileNames.map((name) => key(name, `${name} ${milliseconds(series.whole[name])}`))}${down.length > 0 && key('was-down', 'down')}${maintenance.length > 0 && key('in-maintenance', 'maintenance')}${announced.map(({ text }) => key('announced', text))}</figcaption>
${latencyChart(series, { down, maintenance, announced })}<output class="pointed" aria-hidden="true"></output></figure></section>`;
}

/**
 * p50, p95 and p99 of each step as strokes. The browser stretches the plot, but not its texts. Each step has a title, so hovering needs no script.
 */
export function latencyChart(series: LatencySeries, { down, maintenance, announced }: Marks): Markup {
  const { from, to, range, points, whole } = series;
  const top = roundAbove(Math.max(1, ...points.map(({ p99 }) => p99 ?? 0)));
  const x = (at: number) => round(((Math.min(Math.max(at, from), to) - from) / (to - from)) * WIDTH);
  const y = (value: number) => round(HEIGHT - (value / top) * HEIGHT);
  const step = round((range.step / range.ms) * WIDTH);
  const strokes = percentileNames.map((name) => {
    const path = points.map((point) =>
      point[name] === undefined ? '' : `M${x(point.start)} ${y(point[name])}h${step}`,
    );
    return html`<path class="${name}" d="${path.join('')}"/>`;
  });
  const bands = (kind: string, spans: readonly Span[]) =>
    spans.map(
      (span) =>
        html`<rect class="${kind}" x="${x(span.from)}" width="${Math.max(2, round(x(span.to) - x(span.from)))}" height="${HEIGHT}"/>`,
    );
  const time = (at: number) => `${utcText(at).slice(0, 16)} UTC`;
  return html`<svg class="chart" role="img" aria-label="Latency over ${range.title}: ${percentilesText(whole)}"><svg width="100%" height="90%" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">
<path class="grid" d="M0 0H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT}H${WIDTH}"/>${bands('in-maintenance', maintenance)}${bands('was-down', down)}${announced.map(({ at, text }) => html`<path class="announced" d="M${x(at)} 0V${HEIGHT}"><title>${text}</title></path>`)}${strokes}
<g class="columns">${points.map((point) => html`<rect x="${x(point.start)}" width="${step}" height="${HEIGHT}"><title>${time(point.start)}: ${percentilesText(point)}; ${counted(point.runs, 'run')}</title></rect>`)}</g></svg>
<text x="2" y="5%">${milliseconds(top)}</text><text x="2" y="50%">${milliseconds(top / 2)}</text>
<text x="0" y="99%">${time(from)}</text><text x="100%" y="99%" text-anchor="end">${time(to)}</text></svg>`;
}

function percentilesText(of: Percentiles): string {
  return percentileNames.map((name) => `${name} ${milliseconds(of[name])}`).join(', ');
}

/** The smallest of 1, 2, 4, 6, 8, 10, 20 … that is at least `value`. */
export function roundAbove(value: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 6, 8].find((factor) => factor * magnitude >= value) ?? 10) * magnitude;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

// The frame around each page

export interface Frame {
  readonly title: string;
  readonly body: Markup;
  /** The path below which a browser finds the pages: `/`, or the path at which a proxy serves them; with a trailing slash. */
  readonly root?: string;
}

/**
 * Matches the first slash of each address in a page. The addresses are written for pages below `/`, so `layout` replaces this slash by
 * `root`.
 */
const ADDRESSES = /(?<= (?:href|src|action|formaction)=")\//g;

/**
 * A whole page. It has no inline styles or scripts, because the content security policy forbids them. It is in two parts, because often only
 * the footer differs from the page of the reader before. The viewport names no `width=device-width`, which its scale implies: the search for secrets
 * would take `=de` for quoted-printable, and read the whole page twice as often.
 */
export function layout({ title, body, root = '/' }: Frame): string[] {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Sextant</title>
<link rel="stylesheet" href="/assets/page.css">
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="alternate" href="/feed.atom" type="application/atom+xml" title="Incidents">
<script src="/assets/page.js" type="module"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header><a class="name" href="/"><img src="/assets/icon.svg" alt="" width="22" height="22">Sextant</a>
<nav aria-label="Pages"><a href="/">Status</a><a href="/#incidents">Incidents</a></nav>
<span id="live" data-state="off">not live</span></header>
${stateSymbols()}
<main id="main">
${body}</main>
`;
  const footer = html`<footer><p>As of ${utcText(Date.now())}. Also as <a href="/status.json">JSON</a> and <a href="/feed.atom">feed</a>.</p></footer>
<div id="announce" class="unseen" role="status" aria-live="polite"></div>
</body>
</html>`;
  return [page, footer].map(({ text }) => text.replaceAll(ADDRESSES, root));
}
