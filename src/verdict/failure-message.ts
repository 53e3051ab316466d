import { curlLine, type Exchange, type HttpResponse, header } from '../http/exchange.ts';
import { redact } from '../redaction/redact.ts';

/** In characters. No spelling of a secret is longer. */
const LONGEST_SPELLING = 20_000;

/** `text` cut to `length` characters on one line, with control characters made visible. */
export function excerpt(text: string, length: number): string {
  // Redacts before it cuts, because `redact` would not recognise a secret of which only the beginning is left.
  const clean = redact(text.slice(0, length + LONGEST_SPELLING));
  return (clean.length > length ? `${clean.slice(0, length)}…` : clean)
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, (c) => `\\u${(c.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
}

/** A response in one line: `200 application/json  [{"userId":"93aa…"},…`. */
export function responseLine(response: HttpResponse, length = 300): string {
  const type = header(response, 'content-type')?.split(';')[0] ?? 'no content type';
  return `${response.status} ${type}  ${response.body.text === '' ? '(no body)' : excerpt(response.body.text, length)}`;
}

/** The body of every failure message: request, broken expectation, beginning of the response, and a curl line that repeats the request. */
export function failureMessage({ operation, request, response }: Exchange, broken: string): string {
  return [
    `${operation}: ${request.method} ${request.url}`,
    broken,
    ...(response ? [responseLine(response)] : []),
    curlLine({ ...request, ...(request.body === undefined ? {} : { body: shorten(request.body) }) }),
  ].join('\n  ');
}

/** Joins claim and observation: `expected success (2xx), got 503 Service Unavailable`; `the list mentions a friend — "x" not found`. */
export function sentenceOf(claim: string, observed: string): string {
  return `${claim}${claim.startsWith('expected ') ? ', got ' : ' — '}${observed}`;
}

/** Cuts a very long body and adds its length, so that the curl line stays usable. */
function shorten(body: string): string {
  return body.length > 4_000 ? `${body.slice(0, 200)}… (${body.length} characters)` : body;
}

export function seenIn({ response }: Exchange): string {
  return response ? responseLine(response, 120) : 'no response';
}
