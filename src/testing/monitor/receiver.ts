import { EventEmitter, once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { http, listening } from '../servers/listening.ts';

export interface Received {
  readonly at: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly path: string;
}

/** A receiver's response to a request: a status, or silence. */
export type ReceiverResponse =
  | number
  | 'silent'
  | { readonly status: number; readonly retryAfter?: string; readonly body?: string };

/** For tests and benchmarks: a real HTTP server that records requests and returns the listed responses in order, then 200. */
export async function receiver(
  reactions: readonly ReceiverResponse[] | ((received: Omit<Received, 'at'>) => ReceiverResponse) = [],
) {
  const received: Received[] = [];
  const arrivals = new EventEmitter();
  const server = http.createServer(async (request, response) => {
    // A request is not recorded if the client hangs up before the end of the request.
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    const { headers, url: path = '' } = request;
    const reaction =
      typeof reactions === 'function' ? reactions({ headers, body, path }) : (reactions[received.length] ?? 200);
    received.push({ at: performance.now(), headers, body, path });
    arrivals.emit('request');
    if (reaction === 'silent') return;
    if (typeof reaction === 'number') response.writeHead(reaction).end();
    else {
      const { status, retryAfter, body: said } = reaction;
      response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end(said);
    }
  });
  const { url, stop } = await listening(server);
  return {
    url: `${url}/secret-path`,
    received,
    async until(count: number): Promise<void> {
      while (received.length < count) await once(arrivals, 'request');
    },
    end: stop,
  };
}
