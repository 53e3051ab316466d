import type { IncomingMessage } from 'node:http';
import { MASK, type Redactor } from '../redaction/index.ts';

/** Masks secrets in a response's status line and headers, including header names. @returns whether it found a secret */
export function maskHead(response: IncomingMessage, redactor: Redactor): boolean {
  const status = [response.statusMessage ?? ''];
  const isMasked = [status, response.rawHeaders].filter((texts) => maskTexts(texts, redactor)).length > 0;
  if (!isMasked) return false;
  response.statusMessage = status.join('');
  for (const [name, value] of Object.entries(response.headers)) {
    delete response.headers[name];
    response.headers[redactor.text(name)] = Array.isArray(value)
      ? value.map((each) => redactor.text(each))
      : redactor.text(value ?? '');
  }
  return true;
}

export function maskTrailers(response: IncomingMessage, redactor: Redactor): boolean {
  if (!maskTexts(response.rawTrailers, redactor)) return false;
  response.trailers = {};
  return true;
}

/** Masks secrets in each of `texts`. @returns whether it found a secret */
export function maskTexts(texts: string[], redactor: Redactor): boolean {
  let isMasked = false;
  for (const [index, text] of texts.entries()) {
    texts[index] = redactor.recurring(text);
    isMasked ||= texts[index] !== text;
  }
  return isMasked;
}

export interface ResponseHead {
  readonly status: number;
  readonly statusText: string;
  /** The headers in the received order; a name may occur twice. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage): ResponseHead {
  const headers: [name: string, value: string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    headers.push([rawHeaders[index] as string, rawHeaders[index + 1] as string]);
  return { status: statusCode ?? 0, statusText: statusMessage ?? '', headers };
}

/** Response headers whose values are always masked, because they may contain a session or credential that Sextant doesn't know. */
const maskedAnswerHeaders = new Set(['set-cookie', 'authorization', 'proxy-authenticate']);

/** The headers of a response as a report shows them. */
export function shownHeaders({ headers }: ResponseHead): [name: string, value: string][] {
  return headers.map(([name, value]) => [name, maskedAnswerHeaders.has(name.toLowerCase()) ? MASK : value]);
}
