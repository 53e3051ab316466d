import { addressOf, type Filter } from './filter.ts';
import { html, type Markup } from './html.ts';

/** Maintenance, pause and runs of the environment or area that is filtered for. */
export function controlForm(filter: Filter): Markup | undefined {
  const { environment, area } = filter;
  if (!environment) return undefined;
  const button = (path: string, text: string) => html`<button formaction="/${path}">${text}</button>`;
  return html`<details class="control"><summary>Maintenance, pause, run now: ${environment}${area && ` (${area})`}</summary>
<form class="handling actions" method="post" action="/run"><input type="hidden" name="env" value="${environment}"><input type="hidden" name="back" value="${addressOf(filter)}">${area && html`<input type="hidden" name="area" value="${area}">`}
<label>Your name <input name="person" autocomplete="name" maxlength="80" required></label><label>Why <input name="why" maxlength="200" placeholder="release 41"></label><label>For <select name="for">${['1h', '4h', '1d', '7d'].map((time) => html`<option>${time}</option>`)}</select></label>
${!area && html`${button('maintenance/start', 'Maintenance now')}${button('maintenance/end', 'End maintenance')}`}${button('pause', 'Pause')}${button('resume', 'Resume')}${button('run', 'Run now')}</form></details>`;
}
