import { type Exchange, type HttpResponse, header } from '../exchange.ts';
import { isJsonType } from './json-type.ts';

/** Lines of a stack trace: JavaScript, Python, Java and its kin, .NET, Go, Ruby, PHP. */
const traceLines = [
  /\bat [^\n]{0,200}\([^()\n]*:\d+(:\d+)?\)/,
  /\bat (file:|node:|\/)[^\s"]*:\d+:\d+/,
  /Traceback \(most recent call last\)/,
  /File \\?"[^"\n]+\\?", line \d+/,
  /\bat [\w.$<>]+\([^()\n]*\) in [^\n]*:line \d+/,
  /\bgoroutine \d+ \[/,
  /\.rb:\d+:in [`']/,
  /#\d+ [^\n]*\.php\(\d+\)/,
];

/** Why an answer to odd input is a clumsy one; `undefined` when the service coped. A 5xx is judged before. */
export function mishandling(exchange: Exchange & { readonly response: HttpResponse }): string | undefined {
  const { response, echoedSecret } = exchange;
  const { json, text } = response.body;
  const line = `${response.status} ${response.statusText}`.trim();
  if (echoedSecret) return `${line}, and the response repeats a credential of the caller`;
  const shownText =
    json.ok && typeof json.value === 'object' ? text.replaceAll('\\n', '\n').replaceAll('\\t', '\t') : text;
  if (traceLines.some((pattern) => pattern.test(shownText))) return `${line}, and the response shows a stack trace`;
  // The specification shows no error's body, so a refusal may be a text or a page; one that says JSON must be JSON.
  const mustBeJson = response.status < 300 || isJsonType(header(response, 'content-type'));
  const isUnreadable = !json.ok && json.problem !== 'empty' && (mustBeJson || !isAboutJson(json.problem));
  return isUnreadable ? `${line}, and its body is ${json.problem}` : undefined;
}

/** A text that can't be decompressed is broken whatever it was meant to be. */
function isAboutJson(problem: string): boolean {
  return problem === 'not valid JSON' || problem === 'not UTF-8';
}
