import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

/** Node's HTTP module. An `import` would read all of its exports; one of them loads a WebSocket client, which costs each process 40 ms. */
export const http = process.getBuiltinModule('node:http');

/** Lets a server listen on a free port of this machine; `stop` breaks its connections. */
export async function listening(server: Server, host = '127.0.0.1') {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Fetches over a new connection. A server closes a connection that was idle for seconds, and on a busy machine it could close the
 * connection just when the next request is sent.
 */
export function fetchOnce(url: string | URL, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), connection: 'close' } });
}
