import type { IncomingMessage } from 'node:http';
import type { Redactor } from '../redaction/redactor.ts';

/** Takes secrets out of a response's status line and headers, their names included. @returns Whether there was one. */
export function maskHead(response: IncomingMessage, redactor: Redactor): boolean {
  // One look at all of it: nearly every head is clean.
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

/** The same for what follows a body. */
export function maskTrailers(response: IncomingMessage, redactor: Redactor): boolean {
  if (!headHoldsSecret(response.rawTrailers, redactor)) return false;
  maskList(response.rawTrailers, redactor);
  response.trailers = {};
  return true;
}

/** Whether one of the lines holds a secret. */
export function headHoldsSecret(lines: readonly string[], redactor: Redactor): boolean {
  const text = lines.join('\n');
  return redactor.text(text) !== text;
}

function maskList(texts: string[], redactor: Redactor): void {
  texts.forEach((text, index) => {
    texts[index] = redactor.text(text);
  });
}
