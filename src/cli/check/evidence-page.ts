import { join } from 'node:path';
import { shown } from '../../environment/files/file-trouble.ts';
import { fileRoles, readTextIfAny, remove, replaceText, unlessFileTrouble } from '../../environment/files/index.ts';
import { ConfigurationError, counted, listed } from '../../environment/index.ts';
import { curlLine, type Exchange, fieldsIn, shownHeaders } from '../../http/index.ts';
import { linesOf, type RunLine } from '../../playwright/index.ts';
import { redact } from '../../redaction/index.ts';
import { html, type Markup, type ScenarioResult, traceLine } from '../../run/index.ts';
import { outputFolder } from '../../scenario/index.ts';
import { areaTitle } from '../../service/index.ts';
import { verdicts } from '../../verdict/index.ts';
import { type Checked, reportOfChecks, verdictOf } from './outputs.ts';

/** Longest body that is shown, in characters. */
const BODY_CAP = 20_000;

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere;color-scheme:light dark}
pre{white-space:pre-wrap;padding:.6rem;border:1px solid #8886;border-radius:.3rem}summary{cursor:pointer}
h2{margin-top:2rem}.red{color:#c62828}`;

/** The files that a check writes if scenarios fail: `page` shows their requests and responses, `failed` has their titles by environment. */
function filesOf(folder = join(outputFolder(), 'check')) {
  return { folder, page: join(folder, 'index.html'), failed: join(folder, 'failed.json') };
}

/**
 * Writes a page with every exchange of the scenarios that failed in a check, and returns its path; `undefined` if none failed, or the page can't be
 * written. It replaces the page of the previous check.
 */
export function keepEvidence(all: readonly Checked[]): string | undefined {
  const { folder, page, failed } = filesOf();
  const parts = all.flatMap((checked) => evidenceOf(checked) ?? []);
  const titles = all.map((checked) => [checked.environment, redIn(checked).map(({ title }) => title)]);
  return unlessFileTrouble(() => {
    remove(folder, fileRoles.output);
    if (parts.length === 0) return undefined;
    replaceText(page, redact(pageOf(parts)), fileRoles.output);
    replaceText(failed, redact(`${JSON.stringify(Object.fromEntries(titles))}\n`), fileRoles.output);
    return page;
  });
}

/**
 * The scenarios of `chosen` that failed in the last check of at least one of these environments.
 * @throws ConfigurationError if none of them failed
 */
export function failedLast<T extends { readonly title: string }>(
  chosen: readonly T[],
  environments: readonly string[],
): T[] {
  const { failed } = filesOf();
  const byEnvironment = fieldsIn(readTextIfAny(failed, fileRoles.output) ?? '{}');
  const titles = environments.flatMap((name) => (Object.hasOwn(byEnvironment, name) ? byEnvironment[name] : []));
  const found = chosen.filter(({ title }) => titles.includes(title));
  if (found.length > 0) return found;
  throw new ConfigurationError(
    `--last-failed: none of these scenarios failed in the last check of ${listed(environments)} (${shown(failed)}). Leave the option out.`,
  );
}

function redIn({ results }: Checked): ScenarioResult[] {
  return results.filter(({ verdict }) => verdicts[verdict].isRed);
}

function pageOf(parts: readonly Markup[]): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>What failed · Sextant</title><style>${STYLE}</style></head>
<body>${parts}</body></html>
`.text;
}

function evidenceOf(checked: Checked): Markup | undefined {
  const { environment, startedAt, results } = checked;
  const red = redIn(checked);
  if (red.length === 0) return undefined;
  return html`<h1>${environment}: <span class="red">${verdictOf(checked)}</span></h1>
<p>${counted(red.length, 'scenario')} of ${results.length}, in the check of ${new Date(startedAt).toISOString()}</p>
<ul>${linesOf(reportOfChecks([checked])).map(linePart)}</ul>
${red.map(scenarioPart)}`;
}

function linePart({ kind, text, more = [] }: RunLine): Markup {
  return html`${kind === 'cause' && html`<li>${text}${more.map((line) => html`<br>${line}`)}</li>`}`;
}

function scenarioPart({ title, area, verdict, reason, exchanges, failing, trace }: ScenarioResult): Markup {
  return html`<section><h2>${areaTitle(area)}: ${title}</h2>
<p><b class="red">${verdict}</b>${reason && ` ${reason}`}</p>
${traceLine(trace)}
${exchanges.map((exchange) => exchangePart(exchange, exchange === failing))}</section>
`;
}

/**
 * An exchange, that is a request and its response, as a section that can be folded. `isOpen` is true if this exchange failed its scenario.
 */
function exchangePart({ operation, request, response, failure, durationMs }: Exchange, isOpen: boolean): Markup {
  const { method, url, headers, correlation, body } = request;
  const came = response ? `${response.status} ${response.statusText}` : `no response (${failure?.reason ?? ''})`;
  const sent = Object.entries({ ...headers, ...correlation });
  return html`<details${isOpen && ' open'}><summary>${operation}: ${method} ${new URL(url).pathname} → ${came}, ${Math.round(durationMs)} ms</summary>
<pre>${messageText(`${method} ${url}`, sent, body)}</pre>
${response && html`<pre>${messageText(came, shownHeaders(response), response.body.text)}</pre>`}
<pre>${curlLine(request)}</pre></details>
`;
}

function messageText(first: string, headers: readonly (readonly [string, string])[], body = ''): string {
  const rest = body.length > BODY_CAP ? `\n… (${body.length} characters)` : '';
  return [first, ...headers.map(([name, value]) => `${name}: ${value}`), '', body.slice(0, BODY_CAP) + rest]
    .join('\n')
    .trim();
}
