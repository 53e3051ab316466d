import http from 'node:http';
import https from 'node:https';
import { setImmediate } from 'node:timers/promises';
import type { HttpRequest, Transport } from './transport.ts';

/**
 * How long to try one of a host's addresses before the next, in ms. A lost first packet is repeated after a
 * second, so that much doesn't indicate a dead address; Node's default of 250 ms would give up on any slow network.
 */
const ADDRESS_ATTEMPT_MS = 2_000;

/**
 * How long to keep an idle connection open, in ms: shorter than common services do. Some close after two
 * seconds without notice, and a request on a connection that is being closed looks like a failure.
 */
const KEPT_OPEN_MS = 1_000;

const agentOptions = {
  keepAlive: true,
  timeout: KEPT_OPEN_MS,
  autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
};

/** Node's HTTP client with kept-open connections, without proxies. */
export class NodeTransport implements Transport {
  readonly #http = new http.Agent(agentOptions);
  readonly #https = new https.Agent(agentOptions);

  async request({ url: address, method, headers, body, signal, onNewConnection }: HttpRequest): Promise<void> {
    const url = new URL(address);
    const [library, agent] = url.protocol === 'https:' ? [https, this.#https] : [http, this.#http];
    if (onNewConnection) closeIdle(agent);
    else if (Object.keys(agent.freeSockets).length > 0) await closingSeen();
    const options = {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(body) },
      agent,
      signal,
    };
    return new Promise((resolve, reject) => {
      let hasResponse = false;
      const request = library.request(url, options, (response) => {
        hasResponse = true;
        response.on('error', reject).once('end', resolve).resume();
      });
      request.on('error', (error) => {
        // A service may respond and close before it has read the whole body: then its response counts.
        if (!hasResponse || !isDisconnection(error)) reject(error);
      });
      request.once('close', () => reject(new Error('closed')));
      // As a string it goes out in one write with the headers.
      request.end(body);
    });
  }

  /** Closes all connections, including those in use. */
  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }
}

/**
 * Lets the event loop read pending data of kept-open connections, above all their end: a service that closes after
 * each response without notice has done so by now. The second turn is the first one after a poll.
 */
async function closingSeen(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

function closeIdle({ freeSockets }: http.Agent): void {
  for (const socket of Object.values(freeSockets).flat()) socket?.destroy();
}

function isDisconnection({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE';
}
