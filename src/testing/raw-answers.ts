import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Behaviour, RawRequest } from './raw-server.ts';

/** A whole answer; the length is added unless `headers` say otherwise. */
export function answer(
  status: string,
  body: string | Buffer = '',
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const bytes = Buffer.from(body);
  const all = { 'content-type': 'application/json', 'content-length': String(bytes.length), ...headers };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${head.join('')}\r\n`, 'latin1'), bytes]);
}

/** Writes `text` one byte every 20 ms. */
export function trickle(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || at >= text.length) clearInterval(timer);
    else socket.write(text[at++] ?? '');
  }, 20);
}

/** Writes `chunk` as fast as the other end takes it, `times` times. */
export function flood(socket: Socket, chunk: Buffer, times = Number.POSITIVE_INFINITY): void {
  let left = times;
  const more = () => {
    while (left-- > 0 && !socket.destroyed) if (!socket.write(chunk)) return void socket.once('drain', more);
  };
  more();
}

/** Answers each request with what `make` gives, and closes the connection when asked to. */
export const answering = (make: (request: RawRequest) => string | Buffer, andClose = false): Behaviour => ({
  onRequest: (socket, request) => {
    socket.write(make(request));
    if (andClose) socket.end();
  },
});

/** Decompresses to `megabytes` MB: gzip files may be put one after the other. */
export function bomb(megabytes: number): Buffer {
  return Buffer.concat(new Array<Buffer>(megabytes).fill(gzipSync(Buffer.alloc(1_000_000))));
}
