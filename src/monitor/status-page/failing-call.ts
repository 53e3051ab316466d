import { responseLine } from '../../client/index.ts';
import type { KeptExchange } from '../history/runs.ts';
import { milliseconds } from './format.ts';
import { html, type Markup } from './html.ts';

/** A failing call and what came of it. */
export function failingCall({ operation, request, answer, failure, durationMs, serverAddress }: KeptExchange): Markup {
  const parsed = { ok: false, problem: '' } as const;
  const line = answer && responseLine({ ...answer, body: { ...answer.body, bytes: 0, json: parsed } }, 1_000);
  return html`<pre tabindex="0">${operation}: ${request.method} ${request.url}
${line ?? `no response: ${failure?.reason ?? ''} (${failure?.phase ?? ''})`}
${milliseconds(durationMs)}${serverAddress && `, from ${serverAddress}`}</pre>`;
}
