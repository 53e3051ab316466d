import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { http, listening } from './listening.ts';

/** A forward proxy. `credentials`: the Basic credentials that it requires; `refuses`: the status with which it refuses every request. */
export async function startForwardProxy({
  credentials,
  refuses,
}: {
  readonly credentials?: string;
  readonly refuses?: number;
} = {}) {
  /** The first line of each request, `CONNECT host:port` or `GET http://…`, and the headers that the proxy could read. */
  const seen: { readonly line: string; readonly headers: IncomingHttpHeaders }[] = [];
  const statusFor = ({ headers }: IncomingMessage): number | undefined => {
    const expected = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
    if (expected && headers['proxy-authorization'] !== expected) return 407;
    return refuses;
  };
  const server = http.createServer((request, response) => {
    seen.push({ line: `${request.method} ${request.url}`, headers: request.headers });
    const status = statusFor(request);
    if (status !== undefined) return void response.writeHead(status).end('{}');
    const passed = http.request(request.url ?? '', { method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.writeHead(502).end());
    request.pipe(passed);
  });
  server.on('connect', (request, socket: Socket) => {
    seen.push({ line: `CONNECT ${request.url}`, headers: request.headers });
    const status = statusFor(request);
    if (status !== undefined) return void socket.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\n\r\n`);
    const { hostname, port } = new URL(`http://${request.url}`);
    const target = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    socket.on('close', () => target.destroy()).on('error', () => {});
    target.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n'));
  });
  const { url, stop } = await listening(server);
  return { address: url, seen, stop };
}
