import http from 'node:http';
import https from 'node:https';
import type { HttpRequest, Transport } from './transport.ts';

/**
 * How long one of a name's several addresses is tried before the next, in ms. A lost first packet is repeated after a
 * second, so that much is no sign of a dead address; Node's own 250 ms would give up on any slow network.
 */
const ADDRESS_ATTEMPT_MS = 2_000;

const agentOptions = { keepAlive: true, autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS };

/** Node's own HTTP client, with connections that are kept open between requests until `close`. */
export class NodeTransport implements Transport {
  readonly #http = new http.Agent(agentOptions);
  readonly #https = new https.Agent(agentOptions);

  request({ url: address, method, headers, body, signal }: HttpRequest): Promise<void> {
    const url = new URL(address);
    const isSecure = url.protocol === 'https:';
    const data = body === undefined ? undefined : Buffer.from(body);
    const options: https.RequestOptions = {
      method,
      headers: data ? { ...headers, 'content-length': data.length } : headers,
      agent: isSecure ? this.#https : this.#http,
      signal,
    };
    return new Promise((resolve, reject) => {
      let isAnswered = false;
      const request = (isSecure ? https : http).request(url, options, (response) => {
        isAnswered = true;
        response.on('error', reject).once('end', resolve).resume();
      });
      request.on('error', (error) => {
        // A service may answer and close before it has read the whole body: then its response counts.
        if (!isAnswered || !isDisconnection(error)) reject(error);
      });
      request.once('close', () => reject(new Error('closed')));
      request.end(data);
    });
  }

  /** Closes the connections, also those in use. */
  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }
}

function isDisconnection({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE';
}
