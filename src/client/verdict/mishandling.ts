import { type Exchange, type HttpResponse, header } from '../http/exchange.ts';
import { isJsonType } from '../json/json-type.ts';

/** Stack trace lines of JavaScript, Python, Java and other JVM languages, .NET, Go, Ruby, PHP. */
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

/** The problem with a response to invalid input; `undefined` if the service handled it. A 5xx is judged before. */
export function mishandling(exchange: Exchange & { readonly response: HttpResponse }): string | undefined {
  const { response, echoedSecret } = exchange;
  const { json, text } = response.body;
  const line = `${response.status} ${response.statusText}`.trim();
  if (echoedSecret) return `${line}, and the response repeats a credential of the caller`;
  const shownText =
    json.ok && typeof json.value === 'object' ? text.replaceAll('\\n', '\n').replaceAll('\\t', '\t') : text;
  if (traceLines.some((pattern) => pattern.test(shownText))) return `${line}, and the response shows a stack trace`;
  // The specification shows no error bodies, so a rejection may be text or HTML; if declared as JSON, it must be JSON.
  const mustBeJson = response.status < 300 || isJsonType(header(response, 'content-type'));
  const isUnreadable = !json.ok && json.problem !== 'empty' && (mustBeJson || !isAboutJson(json.problem));
  return isUnreadable ? `${line}, and its body is ${json.problem}` : undefined;
}

/** A body that can't be decompressed is always broken. */
function isAboutJson(problem: string): boolean {
  return problem === 'not valid JSON' || problem === 'not UTF-8';
}
