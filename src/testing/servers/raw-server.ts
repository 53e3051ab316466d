import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import type { KeyAndCertificate } from './certificate.ts';
import { listening } from './listening.ts';

/** Handlers of a server: `onRequest` for each complete request, `onSocket` for each connection before any request. */
export interface Behaviour {
  readonly onSocket?: (socket: Socket) => void;
  readonly onRequest?: (socket: Socket, request: RawRequest) => void;
}

export interface RawRequest {
  /** Request line and headers, as received. */
  readonly head: string;
  readonly body: string;
}

export type RawServer = Awaited<ReturnType<typeof startRawServer>>;

/** A TCP or TLS server on loopback that only finds the end of each HTTP request. `behaviour` writes the responses, which may break HTTP. */
export async function startRawServer(behaviour: Behaviour, tls?: KeyAndCertificate & TlsOptions, host?: string) {
  const requests: RawRequest[] = [];
  const welcome = (socket: Socket) => {
    // Ignored: the client may close its connection to a misbehaving server in any way.
    socket.on('error', () => {});
    behaviour.onSocket?.(socket);
    readRequests(socket, (request) => {
      requests.push(request);
      behaviour.onRequest?.(socket, request);
    });
  };
  const server: Server = tls ? createTlsServer(tls, welcome) : createServer(welcome);
  server.on('tlsClientError', () => {});
  const { port, stop } = await listening(server, host);
  return { port, requests, stop };
}

function readRequests(socket: Socket, onRequest: (request: RawRequest) => void): void {
  let read = '';
  socket.on('data', (chunk) => {
    read += chunk.toString('latin1');
    for (let end = read.indexOf('\r\n\r\n'); end >= 0; end = read.indexOf('\r\n\r\n')) {
      const head = read.slice(0, end);
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
      if (read.length < end + 4 + length) return;
      const body = read.slice(end + 4, end + 4 + length);
      read = read.slice(end + 4 + length);
      onRequest({ head, body });
    }
  });
}

/** A complete HTTP response, with a Content-Length unless `headers` have one. */
export function rawResponse(
  status: string,
  body: string | Buffer = '',
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const bytes = Buffer.from(body);
  const all = { 'content-type': 'application/json', 'content-length': String(bytes.length), ...headers };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${head.join('')}\r\n`, 'latin1'), bytes]);
}

/** Responds to each request with the result of `make`, and closes the connection afterwards if `andClose` is true. */
export const respondingWith = (make: (request: RawRequest) => string | Buffer, andClose = false): Behaviour => ({
  onRequest: (socket, request) => {
    socket.write(make(request));
    if (andClose) socket.end();
  },
});
