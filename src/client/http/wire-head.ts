import type { IncomingMessage } from 'node:http';
import type { Redactor } from '../redaction/redactor.ts';

/** Masks secrets in a response's status line and headers, including header names. @returns Whether there was one. */
export function maskHead(response: IncomingMessage, redactor: Redactor): boolean {
  // Nearly every head is clean.
  if (!headHoldsSecret([response.statusMessage ?? '', ...response.rawHeaders], redactor)) return false;
  response.statusMessage = redactor.text(response.statusMessage ?? '');
  maskList(response.rawHeaders, redactor);
  for (const [name, value] of Object.entries(response.headers)) {
    delete response.headers[name];
    response.headers[redactor.text(name)] = Array.isArray(value)
      ? value.map((each) => redactor.text(each))
      : redactor.text(value ?? '');
  }
  return true;
}

/** The same for trailers. */
export function maskTrailers(response: IncomingMessage, redactor: Redactor): boolean {
  if (response.rawTrailers.length === 0 || !headHoldsSecret(response.rawTrailers, redactor)) return false;
  maskList(response.rawTrailers, redactor);
  response.trailers = {};
  return true;
}

export function headHoldsSecret(lines: readonly string[], redactor: Redactor): boolean {
  return lines.some((line) => redactor.text(line) !== line);
}

function maskList(texts: string[], redactor: Redactor): void {
  texts.forEach((text, index) => {
    texts[index] = redactor.text(text);
  });
}

/** Status line and headers of a response, with the caller's secrets masked. */
export interface ResponseHead {
  readonly status: number;
  readonly statusText: string;
  /** In the received order; a name may occur twice. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage): ResponseHead {
  const headers: [name: string, value: string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    headers.push([rawHeaders[index] as string, rawHeaders[index + 1] as string]);
  return { status: statusCode ?? 0, statusText: statusMessage ?? '', headers };
}
