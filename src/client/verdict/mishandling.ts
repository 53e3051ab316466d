import type { Answered, Exchange } from '../exchange.ts';

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
export function clumsiness(exchange: Exchange & { readonly answer: Answered }): string | undefined {
  const { answer, echoedSecret } = exchange;
  const { json, text } = answer.body;
  const line = `${answer.status} ${answer.statusText}`.trim();
  if (echoedSecret) return `${line}, and the answer repeats a credential of the caller`;
  const shownText =
    json.ok && typeof json.value === 'object' ? text.replaceAll('\\n', '\n').replaceAll('\\t', '\t') : text;
  if (traceLines.some((pattern) => pattern.test(shownText))) return `${line}, and the answer shows a stack trace`;
  if (!json.ok && json.problem !== 'empty') return `${line}, and its body is ${json.problem}`;
  return undefined;
}
