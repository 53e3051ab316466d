import { dayBar } from './day-bar.ts';
import { milliseconds, uptimeText } from './format.ts';
import { html, type Markup } from './html.ts';
import { retried, state } from './parts.ts';
import type { ScenarioView } from './view.ts';

/** The figures of a line as text: what events change on an open page. */
export function lineFigures({ figures }: Pick<ScenarioView, 'figures'>): {
  readonly uptime: string;
  readonly p95: string;
} {
  return {
    uptime: figures ? uptimeText(figures.quarter) : '…',
    p95: figures ? milliseconds(figures.p95) : '…',
  };
}

/** One line: state, name, 90 days, uptime, p95. */
export function scenarioLine(view: ScenarioView): Markup {
  const { known, shown, path, figures } = view;
  const { uptime, p95 } = lineFigures(view);
  return html`<li class="line ${shown}" id="s${known.id}">${state(shown)}<a href="${path}">${known.title}</a>${figures?.isRetried && retried()}${figures ? dayBar(figures.days) : html`<span class="daybar"></span>`}<span class="uptime">${uptime}</span><span class="p95">${p95}</span></li>
`;
}

/** An empty line that the page's script fills. */
export function emptyLine(): Markup {
  return html`<template id="line"><li class="line">${state('pending')}<a></a><span class="daybar"></span><span class="uptime">…</span><span class="p95">…</span></li></template>`;
}
