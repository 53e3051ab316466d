import { durationText } from '../duration-text.ts';
import type { FailureRow, RunRow } from '../history/runs.ts';
import type { Flip } from '../status/flip.ts';
import { statusOf } from '../status/status.ts';
import { failingCall } from './failing-call.ts';
import { milliseconds, moment } from './format.ts';
import { html, type Markup } from './html.ts';
import { isBad, type ScenarioView } from './view.ts';

export interface NowInput {
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
export function scenarioNow({ view, lastFlip, lastFailure, lastRun, lastGood, now, isPublic }: NowInput): Markup {
  const { known, shown } = view;
  const blind = statusOf(known.standing) === 'down' ? undefined : known.standing.blindSince;
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
export function failureDetails({ curl, exchange }: FailureRow): Markup {
  return html`${exchange && failingCall(exchange)}${curl && html`<div class="curl"><pre tabindex="0"><code>${curl}</code></pre><button type="button" class="copy">Copy</button></div>`}`;
}
