import { bodyOf } from '../../http/body.ts';
import type { Exchange, HttpResponse } from '../../http/index.ts';

type Headers = Readonly<Record<string, string>>;

const json: Headers = { 'content-type': 'application/json' };

/** A response as the client creates it, with a JSON body, or without a body if `body` is undefined. */
export function fakeResponse(status: number, body?: unknown, headers: Headers = json): HttpResponse {
  return body === undefined ? fakeText(status, '', headers) : fakeText(status, JSON.stringify(body), headers);
}

export function fakeText(status: number, text: string, headers: Headers = {}): HttpResponse {
  const all = Object.entries(headers);
  return { status, statusText: '', headers: all, body: bodyOf({ bytes: text.length, text }) };
}

/** An exchange of `listBlocked`; `rest` replaces fields. */
export function fakeExchange(rest: Partial<Exchange> = {}): Exchange {
  const url = 'https://api.example.org/v1/friends/block/0/100';
  const request = { method: 'GET', url, headers: {}, correlation: {} };
  return { operation: 'listBlocked', area: 'friends', startedAt: 0, durationMs: 1, phases: {}, request, ...rest };
}
