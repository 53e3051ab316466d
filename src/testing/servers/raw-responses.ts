import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Behaviour, RawRequest } from './raw-server.ts';

/** A complete response; adds the length unless `headers` have one. */
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

/** Writes `text` one byte every 200 ms. */
export function trickle(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || at >= text.length) clearInterval(timer);
    else socket.write(text[at++] ?? '');
  }, 200);
}

/** Writes `chunk` `times` times, as fast as the client reads. */
export function flood(socket: Socket, chunk: Buffer, times = Number.POSITIVE_INFINITY): void {
  let left = times;
  const more = () => {
    while (left-- > 0 && !socket.destroyed) if (!socket.write(chunk)) return void socket.once('drain', more);
  };
  more();
}

/** Responds to each request with the result of `make`, and closes the connection on request. */
export const respondingWith = (make: (request: RawRequest) => string | Buffer, andClose = false): Behaviour => ({
  onRequest: (socket, request) => {
    socket.write(make(request));
    if (andClose) socket.end();
  },
});

/** Gzip data that decompresses to `megabytes` MB: gzip files can be concatenated. */
export function bomb(megabytes: number): Buffer {
  return Buffer.concat(new Array<Buffer>(megabytes).fill(gzipSync(Buffer.alloc(1_000_000))));
}
