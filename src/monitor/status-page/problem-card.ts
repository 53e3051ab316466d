import { counted } from '../../config/index.ts';
import { moment } from './format.ts';
import { html, type Markup } from './html.ts';
import type { OpenProblem } from './open-problems.ts';
import { state } from './parts.ts';

/** Incidents on the first page; more are a link. */
export const MOST_CARDS = 8;

/** Open incidents, on top of the page. */
export function problemCards(problems: readonly OpenProblem[]): Markup {
  const more = problems.length - MOST_CARDS;
  return html`<section id="problems" aria-label="Open incidents"${problems.length === 0 && html` hidden`}>
${problems.slice(0, MOST_CARDS).map(problemCard)}<p id="more-problems"${more <= 0 && html` hidden`}><a href="/incidents">${counted(Math.max(0, more), 'more open incident')}</a></p></section>`;
}

/** An empty card that the page's script fills. */
export function emptyCard(isPublic: boolean): Markup {
  const empty = { id: 0, title: '', state: 'down' as const, since: 0, count: 0, scenarios: [], path: '' };
  return html`<template id="problem">${problemCard(isPublic ? empty : { ...empty, reason: '', curl: '' })}</template>`;
}

function problemCard({ id, title, state: shown, reason, curl, since, count, scenarios, path }: OpenProblem): Markup {
  const more = count - scenarios.length;
  return html`<article class="problem ${shown}" id="incident-${id}" data-count="${count}">
<h2>${state(shown, '')}<a href="${path}">${title}</a></h2>
${reason !== undefined && html`<p class="reason">${reason}</p>`}
<p class="facts">since ${moment(since)} · <span class="count">${counted(count, 'scenario')}</span>: <span class="names">${scenarios.map(({ title: name, path: to }, index) => html`${index > 0 && ', '}<a href="${to}">${name}</a>`)}${more > 0 && ` and ${more} more`}</span></p>
${curl !== undefined && html`<details class="curl"><summary>Repeat the call</summary><pre tabindex="0"><code>${curl}</code></pre><button type="button" class="copy">Copy</button></details>`}
</article>
`;
}
