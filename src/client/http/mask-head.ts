import type { IncomingMessage } from 'node:http';
import type { Redactor } from '../redaction/redactor.ts';

/** Masks secrets in a response's status line and headers, including header names. @returns Whether there was one. */
export function maskHead(response: IncomingMessage, redactor: Redactor): boolean {
  // Nearly every head is clean, and has nearly all lines of the one before.
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

/** Whether one of the lines contains a secret. */
export function headHoldsSecret(lines: readonly string[], redactor: Redactor): boolean {
  return lines.some((line) => !redactor.isClean(line));
}

function maskList(texts: string[], redactor: Redactor): void {
  texts.forEach((text, index) => {
    texts[index] = redactor.text(text);
  });
}
