import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { ConfigurationError } from '../environment/index.ts';
import { redact, redactAgain } from '../redaction/index.ts';

// `import` would read every export of `node:http`. Reading the export WebSocket loads a client, which takes 40 ms in each process.
const { createServer } = process.getBuiltinModule('node:http');

export interface PageRequest {
  readonly headers: IncomingHttpHeaders;
  /** The named groups of the route's regular expression `path`. */
  readonly params: Readonly<Record<string, string | undefined>>;
  /** Path and query of the request, without the prefix `below` (see `ServerOptions`). */
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
  /** A text may come in parts, of which some stay the same for a while: the server searches these for secrets only once. */
  readonly body: string | readonly string[] | Buffer;
}

/** `undefined`: the page does not exist. */
export type Reply = PageResponse | undefined;

export interface Route {
  readonly method: 'GET' | 'POST';
  /** True for a GET that does work, such as a probe. The server then refuses HEAD, because it would do the same work and show no result. */
  readonly isActing?: true;
  /** The server tests this expression against the decoded path. If it must match the whole path, it needs `^` and `$`. */
  readonly path: RegExp;
  readonly reply: (asked: PageRequest) => Reply | Promise<Reply>;
}

/** Time limits for requests and connections of clients, in ms. */
const usual = {
  headersMs: 5_000,
  /** Limit for a whole request, body included. */
  requestMs: 10_000,
  /** Limit for an idle connection. */
  idleMs: 60_000,
};

export type TimeLimits = Readonly<Partial<typeof usual>>;

/**
 * Maximum number of open connections. An operating system limits the files that a process may have open. Each connection takes one of them,
 * and the process needs the others for its own requests.
 */
export const MOST_CONNECTIONS = 500;

export interface ServerOptions {
  readonly routes: readonly Route[];
  readonly headers: Readonly<Record<string, string>>;
  readonly notFound: () => PageResponse;
  /** Returns why a request with these headers must be refused; `undefined` if it is allowed. Default: all requests are allowed. */
  readonly refusal?: (headers: IncomingHttpHeaders) => string | undefined;
  /**
   * Reports to the operator why a page could not be created. If the same error repeats, it is reported only once, until another error
   * appears.
   */
  readonly say: (line: string) => void;
  /** A prefix of paths, such as `/sextant`, for a proxy that doesn't remove it. */
  readonly below?: string;
  readonly limits?: TimeLimits | undefined;
  /** Maximum number of open connections. The server closes any other connection without a response. Default: `MOST_CONNECTIONS`. */
  readonly connections?: number;
}

/**
 * Maximum size of a form, in bytes. The longest form has a note about an incident. It fits even if each of its characters takes several
 * bytes.
 */
const MOST_FORM_BYTES = 16_000;

const BROKEN = 'This page could not be created. /healthz shows the health of the monitor.\n';

interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** The option of the command line that changes the port; default: `--port`. */
  readonly option?: string;
}

/** A small HTTP server for pages. After `listen` it accepts requests. */
export class PageServer {
  readonly #options: ServerOptions;
  readonly #server: Server;
  #lastError = '';

  constructor(options: ServerOptions) {
    const { headersMs, requestMs, idleMs } = { ...usual, ...options.limits };
    this.#options = options;
    // How often Node checks whether a time limit is exceeded.
    const often = { connectionsCheckingInterval: Math.min(1_000, headersMs) };
    const times = { headersTimeout: headersMs, requestTimeout: requestMs, ...often };
    this.#server = createServer(times, (request, response) => {
      this.#respond(request, response).catch(() => void response.destroy());
    });
    this.#server.setTimeout(idleMs);
    this.#server.maxConnections = options.connections ?? MOST_CONNECTIONS;
  }

  /** Starts to listen; returns the address, with a trailing slash. @throws ConfigurationError if the address can't be used */
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

  /** Closes the server and its open connections. Waits at most `graceMs` until the responses in progress are sent. */
  async close(graceMs = 0): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    if (graceMs > 0) await Promise.race([closed, wait(graceMs, undefined, { ref: false })]);
    this.#server.closeAllConnections();
    await closed;
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = await replyTo(request, response, this.#options).catch((error: unknown) => {
      this.#tell(error);
      return plain(500, BROKEN);
    });
    const { headers, body } = encoded(reply, String(request.headers['accept-encoding'] ?? ''));
    if (response.closed) return;
    const sent = { ...this.#options.headers, ...headers, 'content-length': body.length };
    response.writeHead(reply.status ?? 200, sent).end(request.method === 'HEAD' ? '' : body);
  }

  #tell(error: unknown): void {
    const text = error instanceof ConfigurationError ? error.message : String((error as Error)?.stack ?? error);
    if (text !== this.#lastError) this.#options.say(redact(`A page could not be created: ${text}`));
    this.#lastError = text;
  }
}

async function replyTo(
  request: IncomingMessage,
  response: ServerResponse,
  { routes, notFound, refusal, below }: ServerOptions,
): Promise<PageResponse> {
  const url = below && request.url?.startsWith(`${below}/`) ? request.url.slice(below.length) : (request.url ?? '/');
  const [path = '', search = ''] = url.split('?');
  const asked = request.method === 'HEAD' ? 'GET' : request.method;
  const decoded = decodedPath(path);
  const route = routes.find(
    (one) => one.method === asked && !(one.isActing && request.method === 'HEAD') && one.path.test(decoded),
  );
  if (!route) return notFound();
  const refused = refusal?.(request.headers);
  if (refused) return plain(403, `${refused}\n`);
  const params = route.path.exec(decoded)?.groups ?? {};
  if (route.method === 'POST' && isForeign(request.headers))
    return plain(403, 'A page of another site may not post here.\n');
  const form = route.method === 'POST' ? await formOf(request) : new URLSearchParams();
  if (!form) return plain(413, 'Too large.\n');
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const query = new URLSearchParams(search);
  return (await route.reply({ headers: request.headers, params, url, query, form, gone: gone.signal })) ?? notFound();
}

/**
 * Whether a page of another origin may have sent the request. A browser may add the cookie of our page to it, as if our page had sent it.
 * Only browsers send these headers.
 */
export function isForeign({ 'sec-fetch-site': site, origin, host }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && URL.parse(origin)?.host !== host;
}

/** The decoded path. A path that can't be decoded becomes empty, and no route has an empty path. */
function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  let text = '';
  request.setEncoding('utf8');
  // Read the form to its end even if it is too large: the connection must stay open, so that the server can respond.
  for await (const chunk of request) if (text.length <= MOST_FORM_BYTES) text += chunk;
  return text.length > MOST_FORM_BYTES ? undefined : new URLSearchParams(text);
}

/** Compressing a smaller body is useless, because it saves hardly any bytes. */
const LEAST_BYTES = 1_000;

const GZIP = /(?:^|,)\s*gzip\s*(?!;\s*q=0(?:\.0*)?\s*(?:,|$))(?:;|,|$)/;

/**
 * The body without secrets. Compresses it if it is a long text and the client accepts gzip. Compressing takes only a fraction of a
 * millisecond.
 */
function encoded({ headers, body: given }: PageResponse, accepted: string) {
  const body = Buffer.isBuffer(given) ? given : Buffer.from([given].flat().map(redactAgain).join(''));
  const isText = /^(text\/|application\/(json|atom\+xml)|image\/svg\+xml)/.test(headers['content-type'] ?? '');
  if (body.length < LEAST_BYTES || !isText) return { body, headers };
  const varied = { ...headers, vary: 'accept-encoding' };
  if (!GZIP.test(accepted)) return { body, headers: varied };
  return { body: gzipSync(body), headers: { ...varied, 'content-encoding': 'gzip' } };
}

/** Converts the error of a server that could not listen. If the address is the reason, returns an error that names the option to change. */
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

export function typed(type: string, body: PageResponse['body']): PageResponse {
  return { headers: { 'content-type': type }, body };
}

export function json(value: object): PageResponse {
  return typed('application/json; charset=utf-8', `${JSON.stringify(value)}\n`);
}

export function plain(status: number, text: string, headers: PageResponse['headers'] = {}): PageResponse {
  return { status, headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' }, body: text };
}
