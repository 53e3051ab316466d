import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { KeyAndCertificate } from './certificate.ts';

/** Handlers of a server: `onRequest` for each complete request, or `onSocket` before any. */
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

/** A loopback server that understands only where an HTTP request ends. */
export async function startRawServer(behaviour: Behaviour, tls?: KeyAndCertificate, host = '127.0.0.1') {
  const sockets = new Set<Socket>();
  const requests: RawRequest[] = [];
  const welcome = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // The client may react to a misbehaving server in any way.
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
