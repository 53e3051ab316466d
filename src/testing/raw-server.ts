import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { KeyAndCertificate } from './certificate.ts';

/** What a server does with a socket: `onRequest` for each complete request, or `onSocket` before any. */
export interface Behaviour {
  readonly onSocket?: (socket: Socket) => void;
  readonly onRequest?: (socket: Socket, request: RawRequest) => void;
}

export interface RawRequest {
  /** Request line and headers, as they came. */
  readonly head: string;
  readonly body: string;
}

/** A server that knows nothing of HTTP but where a request ends, on loopback. */
export interface RawServer {
  readonly port: number;
  readonly requests: readonly RawRequest[];
  stop(): Promise<void>;
}

export async function startRawServer(
  behaviour: Behaviour,
  tls?: KeyAndCertificate,
  host = '127.0.0.1',
): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const requests: RawRequest[] = [];
  const welcome = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // What the other end does about a misbehaving server is its own affair.
    socket.on('error', () => {});
    behaviour.onSocket?.(socket);
    readRequests(socket, (request) => {
      requests.push(request);
      behaviour.onRequest?.(socket, request);
    });
  };
  const server: Server = tls ? createTlsServer(tls, welcome) : createServer(welcome);
  server.on('tlsClientError', () => {});
  server.listen(0, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
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
