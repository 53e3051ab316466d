import type { SentRequest } from './exchange.ts';

/** One `curl` line that repeats a request, for a POSIX shell, with credentials masked. */
export function curlLine({ method, url, headers, body }: Omit<SentRequest, 'correlation'>): string {
  const parts = ['curl -sS'];
  if (method !== 'GET') parts.push(`-X ${method}`);
  parts.push(quote(url));
  for (const [name, value] of Object.entries(headers)) {
    // `-H 'name:'` would remove a header; `-H 'name;'` sends it empty.
    parts.push(`-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`);
  }
  if (body !== undefined) parts.push(`--data-raw ${quote(body)}`);
  return parts.join(' ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
