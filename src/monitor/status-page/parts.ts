import { responseLine } from '../../client/index.ts';
import type { KeptExchange } from '../history/runs.ts';
import { utcText } from '../status/texts.ts';
import { uptimeFormula } from '../status/uptime.ts';
import { milliseconds } from './format.ts';
import { escapeText, html, type Markup } from './html.ts';
import { type Shown, shownStates, states } from './view.ts';

/** Each state also has a distinct shape, for readers who can’t distinguish the colours. */
const shapes: Readonly<Record<Shown, string>> = {
  up: 'M3.5 8.5l3 3 6-7',
  degraded: 'M8 3v6M8 12v.5',
  down: 'M4 4l8 8M12 4l-8 8',
  unjudged: 'M5.5 6a2.5 2.5 0 1 1 3.4 2.3c-.6.3-.9.7-.9 1.4M5 12.4h6',
  unknown: 'M5.5 6a2.5 2.5 0 1 1 3.4 2.3c-.6.3-.9.7-.9 1.4M8 12.4v.2',
  pending: 'M4 8h.2M8 8h.2M12 8h.2',
  skipped: 'M5 4.5l3.5 3.500L5 11.500M11 4.500v7',
};

export function stateSymbols(): Markup {
  return html`<svg class="unseen" aria-hidden="true">${shownStates.map((shown) => html`<symbol id="is-${shown}" viewBox="0 0 16 16"><circle cx="8" cy="8" r="8"/><path d="${shapes[shown]}"/></symbol>`)}</svg>`;
}

export function state(shown: Shown, word: string = states[shown].word): Markup {
  return html`<span class="state ${shown}"><svg aria-hidden="true"><use href="#is-${shown}"/></svg><span>${word}</span></span>`;
}

export function retried(): Markup {
  return html`<span class="retried">passed on retry</span>`;
}

export function formula(): Markup {
  return html`<p class="formula">Uptime = ${uptimeFormula}. All windows end now; runs are counted in whole hours (24 h) or whole days (longer windows). Each scenario's page shows the success rate of first attempts, the service-level indicator.</p>`;
}

export function failingCall({ operation, request, answer, failure, durationMs, serverAddress }: KeptExchange): Markup {
  const parsed = { ok: false, problem: '' } as const;
  const line = answer && responseLine({ ...answer, body: { ...answer.body, bytes: 0, json: parsed } }, 1_000);
  return html`<pre tabindex="0">${operation}: ${request.method} ${request.url}
${line ?? `no response: ${failure?.reason ?? ''} (${failure?.phase ?? ''})`}
${milliseconds(durationMs)}${serverAddress && `, from ${serverAddress}`}</pre>`;
}

/** A day in a bar, the lightest first: its style, and its word. */
const dayCodes = {
  '-': { style: 'none', word: 'without data' },
  u: { style: 'up', word: 'up' },
  /** From 99 % up. */
  p: { style: 'degraded', word: 'partly down' },
  d: { style: 'down', word: 'down' },
} as const;

type DayCode = keyof typeof dayCodes;

export function dayCode(ratio: number | undefined, runs: number): DayCode {
  if (runs === 0 || ratio === undefined) return '-';
  if (ratio === 1) return 'u';
  return ratio >= 0.99 ? 'p' : 'd';
}

/** Each day as bad as its worst. */
export function worstDays(all: readonly string[]): string {
  const codes = Object.keys(dayCodes) as DayCode[];
  const worstOf = (_: unknown, index: number) => codes.findLast((code) => all.some((days) => days[index] === code));
  return Array.from(all[0] ?? '', worstOf).join('');
}

/** A bar of days, a `DayCode` each: few bytes, because days in a row with one code are one stroke, dashed into days. */
export function dayBar(days: string): Markup {
  const strokes = new Map<DayCode, string>();
  for (const { 0: equal, index } of days.matchAll(/(.)\1*/g)) {
    const code = equal.charAt(0) as DayCode;
    strokes.set(code, `${strokes.get(code) ?? ''}M${index} 5h${equal.length}`);
  }
  const counts = (['u', 'p', 'd', '-'] as const).flatMap((code) => {
    const count = days.split(code).length - 1;
    return count > 0 ? `${count} ${dayCodes[code].word}` : [];
  });
  const label = `${days.length} days: ${counts.join(', ')}`;
  return html`<svg class="daybar" viewBox="0 0 ${days.length} 10" preserveAspectRatio="none" role="img" aria-label="${label}">${[...strokes].map(([code, path]) => html`<path class="${dayCodes[code].style}" d="${path}"/>`)}</svg>`;
}

export interface Frame {
  readonly title: string;
  readonly body: Markup;
  /** How many parts its path has, of which links lead back; default: 1, as of `/`. */
  readonly depth?: number;
  readonly now: number;
  /** Of the states that it shows, as its script needs it; absent: none. */
  readonly edition?: string;
}

/** Addresses in a page, which are written from the root of the monitor: a page may be served below a path that only a proxy knows. */
const ADDRESSES = /(?<= (?:href|src|action|formaction)=")\//g;

/** A whole page, without inline styles and scripts: the content security policy forbids both. */
export function layout({ title, body, now, edition, depth = 1 }: Frame): string {
  const root = '../'.repeat(depth - 1) || './';
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
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
<main id="main"${edition && html` data-edition="${edition}"`}>
${body}</main>
<footer><p>As of ${utcText(now)}. Also as <a href="/status.json">JSON</a> and <a href="/feed.atom">feed</a>.</p></footer>
<div id="announce" class="unseen" role="status" aria-live="polite"></div>
</body>
</html>`.text.replaceAll(ADDRESSES, root);
}

/** A badge for a README; the text width is fixed, so it looks the same everywhere. */
export function badge(label: string, value: string, shown: Shown): string {
  const right = escapeText(value);
  const left = escapeText(label);
  const [a, b] = [label, value].map((text) => Math.round(text.length * 6.4 + 12)) as [number, number];
  const text = (at: number, width: number, what: string) =>
    `<text x="${at + width / 2}" y="14" textLength="${width - 12}" lengthAdjust="spacingAndGlyphs">${what}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${a + b}" height="20" role="img" aria-label="${left}: ${right}"><title>${left}: ${right}</title><rect width="${a}" height="20" fill="#3d444d"/><rect x="${a}" width="${b}" height="20" fill="${states[shown].colour}"/><g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(0, a, left)}${text(a, b, right)}</g></svg>`;
}
