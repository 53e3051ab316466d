import { html, type Markup, type ScenarioResult } from '../run/index.ts';
import { type PageResponse, typed } from '../server/index.ts';
import { type Verdict, verdicts } from '../verdict/index.ts';

/** Maximum number of rows on the page. Nobody reads more of them. */
const MOST = 50;

interface Asked {
  readonly target: string;
  readonly module: string;
}

interface Found {
  readonly outcome: { readonly verdict: Verdict };
  /** Duration of the probe, in ms; `undefined` if the probe never began. */
  readonly durationMs: number | undefined;
}

/** A probe that has ended, as a row of the page. `at` is in ms since the epoch. */
interface LastProbe extends Asked, Found {
  readonly at: number;
  readonly reasons: readonly string[];
}

/** The last probes of this process, the newest first. */
export class LastProbes {
  #all: readonly LastProbe[] = [];

  add(
    { target, module }: Asked,
    { outcome, durationMs, results }: Found & { results: readonly ScenarioResult[] },
  ): void {
    const red = results.filter(({ verdict }) => verdicts[verdict].isRed);
    const reasons = red.map(({ title, reason = '' }) => `${title}: ${reason}`);
    this.#all = [{ at: Date.now(), target, module, outcome, durationMs, reasons }, ...this.#all].slice(0, MOST);
  }

  /** The page `/`: the last probes, with links that run each of them again. */
  page(targets: readonly string[]): PageResponse {
    const links = ['targets', 'metrics', 'healthz', 'readyz'];
    const body = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Prober · Sextant</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:0 auto;padding:1rem;color-scheme:light dark}td:first-child{white-space:nowrap}td,th{text-align:left;vertical-align:top;padding:.2rem .8rem .2rem 0;overflow-wrap:anywhere}</style></head>
<body><h1>Last probes</h1>
<table><tr><th>When</th><th>Target</th><th>Module</th><th>Verdict</th><th>Took</th></tr>
${this.#all.map(row)}</table>
${this.#all.length === 0 && html`<p>None yet: /probe?target=${targets[0] ?? 'ENVIRONMENT'} runs one.</p>`}
<p>${links.map((path) => html`<a href="/${path}">/${path}</a> `)}</p></body></html>
`;
    return typed('text/html; charset=utf-8', body.text);
  }
}

function row({ at, target, module, outcome, durationMs, reasons }: LastProbe): Markup {
  const log = `/probe?${new URLSearchParams({ target, module, debug: 'true' })}`;
  const took = durationMs === undefined ? '—' : `${Math.round(durationMs)} ms`;
  return html`<tr><td>${new Date(at).toISOString().replace(/\.\d+/, '')}</td><td>${target}</td><td><a href="${log}">${module}</a></td><td>${outcome.verdict}</td><td>${took}</td></tr>
${reasons.map((reason) => html`<tr><td></td><td colspan="4">${reason}</td></tr>`)}`;
}
