import { html, type Markup } from './html.ts';
import { stateSymbols } from './parts.ts';

export interface Frame {
  readonly title: string;
  readonly body: Markup;
  readonly path: '/' | '/incidents' | 'other';
  readonly now: number;
  /** Of the states that it shows, as its script needs it; absent: none. */
  readonly edition?: string;
}

/** A whole page, without inline styles and scripts: the content security policy forbids both. */
export function layout({ title, body, path, now, edition }: Frame): string {
  const link = (to: string, text: string) =>
    html`<a href="${to}"${to === path && html` aria-current="page"`}>${text}</a>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="/assets/page.css">
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="alternate" type="application/atom+xml" title="Incidents" href="/incidents.atom">
<script src="/assets/page.js" type="module"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header><a class="name" href="/"><img src="/assets/icon.svg" alt="" width="22" height="22">Sextant</a>
<nav aria-label="Pages">${link('/', 'Status')}${link('/incidents', 'Incidents')}</nav>
<span id="live" data-state="off">not live</span></header>
${stateSymbols()}
<main id="main"${edition && html` data-edition="${edition}"`}>
${body}</main>
<footer><p>As of ${new Date(now).toISOString().slice(0, 19).replace('T', ' ')} UTC. Also as <a href="/status.json">JSON</a> and <a href="/incidents.atom">Atom feed</a>.</p></footer>
<div id="announce" class="unseen" role="status" aria-live="polite"></div>
</body>
</html>`.text;
}
