import { curlLine } from '../curl.ts';
import { type Exchange, type HttpResponse, header } from '../exchange.ts';

/** `text` cut to `length` characters, on one line, its control characters made visible: nobody's terminal obeys it. */
export function excerpt(text: string, length: number): string {
  const cut = text.length > length ? `${text.slice(0, length)}…` : text;
  return cut
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, (c) => `\\u${(c.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
}

/** An answer in one line: `200 application/json  [{"userId":"93aa…"},…`. */
export function responseLine(answer: HttpResponse, length = 300): string {
  const type = header(answer, 'content-type')?.split(';')[0] ?? 'no content type';
  return `${answer.status} ${type}  ${answer.body.text === '' ? '(no body)' : excerpt(answer.body.text, length)}`;
}

/** What was sent where, with what came back and how to repeat it: the body of every failure message. */
export function failureMessage(exchange: Exchange, claim: string, observed: string): string {
  const [request = '', ...rest] = exchangeLines(exchange);
  return [request, `${claim} — ${excerpt(observed, 600)}`, ...rest].join('\n  ');
}

/** An exchange in lines: what was sent where, the answer's first words, and the curl line that repeats it. */
export function exchangeLines({ operation, request, response }: Exchange): string[] {
  return [
    `${operation}: ${request.method} ${request.url}`,
    ...(response ? [responseLine(response)] : []),
    curlLine({ ...request, ...(request.body === undefined ? {} : { body: shorten(request.body) }) }),
  ];
}

/** A line that nobody can paste helps nobody: a very long body is told by its length. */
function shorten(body: string): string {
  return body.length > 4_000 ? `${body.slice(0, 200)}… (${body.length} characters)` : body;
}
