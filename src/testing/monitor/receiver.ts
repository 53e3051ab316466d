import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly at: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly path: string;
}

/** A receiver's response to a request: a status, or silence. */
export type ReceiverResponse = number | 'silent' | { readonly status: number; readonly retryAfter: string };

/** For tests and the bench: a real HTTP server that records requests and gives the listed responses in order, then 200. */
export async function receiver(reactions: readonly ReceiverResponse[] = []) {
  const received: Received[] = [];
  const arrivals = new EventEmitter();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const reaction = reactions[received.length] ?? 200;
      received.push({
        at: performance.now(),
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        path: request.url ?? '',
      });
      arrivals.emit('request');
      if (reaction === 'silent') return;
      if (typeof reaction === 'number') response.writeHead(reaction).end();
      else response.writeHead(reaction.status, { 'retry-after': reaction.retryAfter }).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-path`,
    received,
    /** Waits for that many requests. */
    async until(count: number): Promise<void> {
      while (received.length < count) await once(arrivals, 'request');
    },
    end(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}
