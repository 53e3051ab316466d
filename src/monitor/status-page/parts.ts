import { responseLine } from '../../client/index.ts';
import type { KeptExchange } from '../history/runs.ts';
import { uptimeFormula } from '../status/uptime.ts';
import { milliseconds } from './format.ts';
import { html, type Markup } from './html.ts';
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

/** The shapes as symbols, once for each page. */
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

/** A failing call and what came of it. */
export function failingCall({ operation, request, answer, failure, durationMs, serverAddress }: KeptExchange): Markup {
  const parsed = { ok: false, problem: '' } as const;
  const line = answer && responseLine({ ...answer, body: { ...answer.body, bytes: 0, json: parsed } }, 1_000);
  return html`<pre tabindex="0">${operation}: ${request.method} ${request.url}
${line ?? `no response: ${failure?.reason ?? ''} (${failure?.phase ?? ''})`}
${milliseconds(durationMs)}${serverAddress && `, from ${serverAddress}`}</pre>`;
}
