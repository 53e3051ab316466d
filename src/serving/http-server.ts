import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { redact } from '../client/index.ts';
import { ConfigurationError } from '../config/index.ts';
import { SharedBody } from './shared-body.ts';

// `import` reads every export, and so loads a WebSocket client: 40 ms of each process.
const { createServer } = process.getBuiltinModule('node:http');

export interface PageRequest {
  readonly headers: IncomingHttpHeaders;
  /** The named groups of the route's path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The path and the query as they were asked for. */
  readonly url: string;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  /** Aborted when the connection is closed. */
  readonly gone: AbortSignal;
}

export interface PageResponse {
  /** Default: 200. */
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | SharedBody;
  /** Compressing a short text that is fetched often costs more than it saves. */
  readonly isPlain?: true;
  /** Goes on after the headers, in place of a body. */
  readonly stream?: (response: ServerResponse) => void;
}

export interface Route {
  readonly method: 'GET' | 'POST';
  /** HEAD is refused: it would do all that a GET does, and show nothing of it. */
  readonly isActing?: true;
  /** The whole path, still percent-encoded. */
  readonly path: RegExp;
  /** `undefined`: the page does not exist. */
  readonly reply: (asked: PageRequest) => PageResponse | undefined | Promise<PageResponse | undefined>;
}

/** How long a client may take, in ms. */
export interface TimeLimits {
  readonly headersMs: number;
  /** Of a whole request, body included. */
  readonly requestMs: number;
  /** Of a connection on which nothing happens; open pages get something every 15 s. */
  readonly idleMs: number;
}

const usual: TimeLimits = { headersMs: 5_000, requestMs: 10_000, idleMs: 60_000 };

/** Each is an open file: who serves needs some for its own calls. */
export const MOST_CONNECTIONS = 500;

interface ServerOptions {
  readonly routes: readonly Route[];
  readonly headers: Readonly<Record<string, string>>;
  readonly notFound: (url: string) => PageResponse;
  /** A path that requests may begin with, where a proxy does not take it away: `/sextant`. */
  readonly below?: string;
  /** Told of an error that kept a page from being created. */
  readonly onError?: (error: unknown) => void;
  readonly limits?: TimeLimits;
  /** More at once are closed unanswered; default: `MOST_CONNECTIONS`. */
  readonly connections?: number;
  /** Awaited before a request is answered; the response that it returns is sent instead. */
  readonly hold?: (request: IncomingMessage) => Promise<PageResponse | undefined>;
}

/** Enough for the longest note in any script. */
const MOST_FORM_BYTES = 16_000;

const tooLarge = { status: 413, ...typed('text/plain', 'Too large.\n') };
const foreign = { status: 403, ...typed('text/plain', 'A page of another site may not post here.\n') };
const BROKEN = 'This page could not be created. /healthz shows the health of the monitor.\n';
const broken = { status: 500, ...typed('text/plain', BROKEN) };

interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** The option of the command line that changes the port; default: `--port`. */
  readonly option?: string;
}

/** A small HTTP server of pages, which doesn't listen yet. */
export class PageServer {
  readonly #server: Server;
  readonly #answering = new Set<Promise<void>>();

  constructor(options: ServerOptions) {
    const { limits = usual, connections = MOST_CONNECTIONS } = options;
    const times = {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      // How often Node looks whether a limit is exceeded.
      connectionsCheckingInterval: Math.min(1_000, limits.headersMs),
    };
    this.#server = createServer(times, (request, response) => {
      const answering = answer(request, response, options)
        .catch(() => void response.destroy())
        .then(() => void this.#answering.delete(answering));
      this.#answering.add(answering);
    });
    this.#server.setTimeout(limits.idleMs);
    this.#server.maxConnections = connections;
  }

  /** Listens; returns the address, with a trailing slash. @throws ConfigurationError when it can't be used. */
  async listen(where: ListenAddress): Promise<string> {
    const { host, port } = where;
    this.#server.listen({ host, port });
    try {
      await once(this.#server, 'listening');
    } catch (error) {
      throw listenProblem(error, where);
    }
    const name = host.includes(':') ? `[${host}]` : host;
    return `http://${name}:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Closes open connections as well, after at most `graceMs` for the responses that are under way. */
  async close(graceMs = 0): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    if (graceMs > 0) await Promise.race([Promise.all(this.#answering), wait(graceMs, undefined, { ref: false })]);
    this.#server.closeAllConnections();
    await closed;
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, options: ServerOptions): Promise<void> {
  const reply = await replyTo(request, response, options).catch((error: unknown) => {
    options.onError?.(error);
    return broken;
  });
  const { status = 200, headers, stream } = reply;
  // Nothing would tell a stream that its client left before it began.
  if (stream && !response.closed) return stream(response.writeHead(status, { ...options.headers, ...headers }));
  const shared = reply.body instanceof SharedBody ? reply.body : new SharedBody(reply.body);
  const accepted = reply.isPlain ? '' : request.headers['accept-encoding'];
  const { body, headers: coding } = await shared.for(headers['content-type'], accepted);
  const sent = { ...options.headers, ...headers, ...coding, 'content-length': body.length };
  if (response.closed) return;
  await new Promise<void>((resolve) => {
    response.once('close', resolve);
    response.writeHead(status, sent).end(request.method === 'HEAD' ? '' : body);
  });
}

async function replyTo(
  request: IncomingMessage,
  response: ServerResponse,
  { routes, notFound, hold, below }: ServerOptions,
): Promise<PageResponse> {
  const instead = await hold?.(request);
  if (instead) return instead;
  const url = below && request.url?.startsWith(`${below}/`) ? request.url.slice(below.length) : (request.url ?? '/');
  const [path = '', search = ''] = url.split('?');
  /** What the routes of this path take. */
  const allowed: string[] = [];
  for (const route of routes) {
    const found = route.path.exec(path);
    const params = found && decoded(found.groups ?? {});
    if (!params) continue;
    const methods = route.method === 'GET' && !route.isActing ? ['GET', 'HEAD'] : [route.method];
    allowed.push(...methods);
    if (!methods.includes(request.method ?? '')) continue;
    if (route.method === 'POST' && isForeign(request.headers)) return foreign;
    const form = route.method === 'POST' ? await formOf(request) : new URLSearchParams();
    if (!form) return tooLarge;
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const query = new URLSearchParams(search);
    const asked = { headers: request.headers, params, url, query, form, gone: gone.signal };
    const reply = await route.reply(asked);
    // On a stream HEAD would never end.
    return !reply || (reply.stream && request.method === 'HEAD') ? notFound(url) : reply;
  }
  if (allowed.length === 0) return notFound(url);
  const allow = allowed.join(', ');
  return plain(405, `Not a method of this address. It takes ${allow}.\n`, { allow });
}

/** Whether a page of another origin posts, which a browser would send the cookie along with. A program sends neither header. */
function isForeign({ 'sec-fetch-site': site, origin, host }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && URL.parse(origin)?.host !== host;
}

function decoded(groups: Readonly<Record<string, string>>): Record<string, string> | undefined {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return undefined;
  }
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  let text = '';
  request.setEncoding('utf8');
  // Reading on keeps the connection open for the response.
  for await (const chunk of request) if (text.length <= MOST_FORM_BYTES) text += chunk;
  return text.length > MOST_FORM_BYTES ? undefined : new URLSearchParams(text);
}

/** The error of a server that couldn't listen, in the user's words where the address is at fault. */
function listenProblem(error: unknown, { host, port, option = '--port' }: ListenAddress): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return new ConfigurationError(
      `Port ${port} on ${host} is already in use. Choose another with ${option}, or stop the process that uses it.`,
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new ConfigurationError(`Cannot listen on ${host}: this machine has no such address.`);
  if (code === 'EACCES')
    return new ConfigurationError(`Cannot listen on port ${port}: permission denied. Choose a port above 1023.`);
  return error;
}

/** Says once, until another one appears, which error kept pages from being created: whoever looks sees only that there was one. */
export function pageErrors(say: (line: string) => void): (error: unknown) => void {
  let last = '';
  return (error) => {
    const text = error instanceof ConfigurationError ? error.message : String((error as Error)?.stack ?? error);
    if (text !== last) say(redact(`A page could not be created: ${text}`));
    last = text;
  };
}

export function typed(type: string, body: PageResponse['body']): PageResponse {
  return { headers: { 'content-type': type }, body };
}

export function json(value: object): PageResponse {
  return typed('application/json; charset=utf-8', JSON.stringify(value));
}

export function plain(status: number, text: string, headers: PageResponse['headers'] = {}): PageResponse {
  return { status, headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' }, body: text };
}
