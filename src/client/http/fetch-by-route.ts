import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { makeAgent } from './node-transport.ts';
import type { Route } from './route.ts';

export interface RoutedRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Statuses whose `Response` may have no body. */
const EMPTY = [204, 205, 304];

/**
 * `fetch` on a route, which it knows nothing of; redirects are not followed. Fails with the signal's reason, or with an error whose cause
 * is the connection's.
 */
export function fetchByRoute(
  url: URL,
  { method = 'GET', headers = {}, body, signal }: RoutedRequest,
  route?: Route,
): Promise<Response> {
  const agent = makeAgent(url, route, { keepAlive: false });
  const library = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(signal?.aborted ? signal.reason : new Error('no answer', { cause: error }));
    const request = library.request(url, { method, headers, agent, ...(signal ? { signal } : {}) }, (message) => {
      const { statusCode: status = 0, headers: given } = message;
      const all = Object.entries(given).flatMap(([name, value]): [string, string][] =>
        [value ?? []].flat().map((each) => [name, each]),
      );
      try {
        const content = EMPTY.includes(status) ? null : (Readable.toWeb(message) as ReadableStream);
        resolve(new Response(content, { status, headers: all }));
      } catch (error) {
        // A status that HTTP doesn't know.
        request.destroy();
        fail(error);
      }
    });
    request.on('error', fail);
    request.end(body);
  });
}
