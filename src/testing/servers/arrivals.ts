import diagnostics from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly port: number;
  readonly headers: IncomingMessage['headers'];
}

/** Records requests where they arrive, at the server, so that a mistake in the client can't hide one. */
export class Arrivals {
  readonly all: Arrival[] = [];
  /** The number of requests that have no response yet. */
  open = 0;
  /** Called for each request before its response. */
  onArrival: () => void = () => {};

  constructor() {
    diagnostics.subscribe('http.server.request.start', (message) => {
      const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
      const { method = '', url = '', headers, socket } = request;
      this.all.push({ method, path: url, port: socket.localPort ?? 0, headers });
      this.open++;
      response.once('close', () => this.open--);
      this.onArrival();
    });
  }

  async during(work: () => Promise<unknown>): Promise<Arrival[]> {
    const from = this.all.length;
    await work();
    return this.all.slice(from);
  }

  /** Resolves after `count` more requests. */
  more(count: number): Promise<void> {
    const enough = this.all.length + count;
    return new Promise((resolve) => {
      this.onArrival = () => {
        if (this.all.length >= enough) resolve();
      };
      this.onArrival();
    });
  }
}
