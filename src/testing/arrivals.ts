import diagnostics from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request as it reached a server of this process. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly port: number;
  readonly headers: IncomingMessage['headers'];
}

/** What the servers of this process hear, looked at from their side: whatever a client left out can't hide here. */
export class Arrivals {
  readonly all: Arrival[] = [];
  /** Requests that are not answered yet. */
  open = 0;
  /** Called as each arrives, before it is answered. */
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

  /** What arrives while `work` is done. */
  async during(work: () => Promise<unknown>): Promise<Arrival[]> {
    const from = this.all.length;
    await work();
    return this.all.slice(from);
  }

  /** Resolves when `count` more have arrived. */
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
