import { uptimeFormula } from '../status/uptime.ts';
import { percent, runsText, share, uptimeText } from './format.ts';
import { html, type Markup } from './html.ts';
import type { DaySummary, StatusSummary } from './status-summary.ts';
import { type Shown, shownStates } from './view.ts';

export const stateWords: Readonly<Record<Shown, string>> = {
  up: 'Up',
  degraded: 'Degraded',
  down: 'Down',
  unjudged: 'Not judged',
  unknown: 'Unknown',
  pending: 'Not run yet',
  skipped: 'Skipped',
};

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

/** The shapes as symbols, once for each page. */
export function stateSymbols(): Markup {
  return html`<svg class="unseen" aria-hidden="true">${shownStates.map((shown) => html`<symbol id="is-${shown}" viewBox="0 0 16 16"><circle cx="8" cy="8" r="8"/><path d="${shapes[shown]}"/></symbol>`)}</svg>`;
}

export function state(shown: Shown, word: string = stateWords[shown]): Markup {
  return html`<span class="state ${shown}"><svg aria-hidden="true"><use href="#is-${shown}"/></svg><span>${word}</span></span>`;
}

export function retried(): Markup {
  return html`<span class="retried">passed on retry</span>`;
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

export function formula(): Markup {
  return html`<p class="formula">Uptime = ${uptimeFormula}. All windows end now; runs are counted in whole hours (24 h) or whole days (longer windows). Each scenario's page shows the success rate of first attempts, the service-level indicator.</p>`;
}
