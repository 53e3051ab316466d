import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { assumed } from './assumptions/values.ts';
import { Refusal } from './refusal.ts';

// `getBuiltinModule` is used because an `import` would read every export of node:http and so load a WebSocket client: 40 ms in each
// process.
const { createServer } = process.getBuiltinModule('node:http');

export interface ServiceRequest {
  readonly id: string;
  /** The operation of the request's path. Empty if no operation has this path. */
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly params: Readonly<Record<string, string>>;
  readonly socket: Socket;
  readonly body?: unknown;
}

export interface Reply {
  readonly status: number;
  /** The value that is sent as JSON. If absent or null, the response has no body. */
  readonly body?: unknown;
}

export interface OutgoingResponse {
  readonly status: number;
  /** Headers by lower-case name. A header that is `undefined` isn't sent. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string | Readable;
}

export interface Route {
  readonly method: string;
  /** The path, with `{name}` in place of each parameter. */
  readonly path: string;
  readonly operation?: string;
  /**
   * Carries out a request. `readBody` returns the parsed body, or throws a `Refusal`. A handler must reject unauthorized callers before it
   * calls `readBody`, so that they learn nothing about valid bodies.
   */
  readonly handle: (request: ServiceRequest, readBody: () => Promise<unknown>) => Reply | Promise<Reply>;
}

/** Functions that run for every request whose path can be decoded. */
export interface Hooks {
  /** Called before anything else. The hook may wait, throw a `Refusal`, reply itself, or take over the connection. */
  readonly arrived: (request: ServiceRequest) => Promise<Reply | 'taken' | undefined>;
  /** Changes a response, including a rejection, before it is sent. */
  readonly answered: (response: OutgoingResponse, request: ServiceRequest) => OutgoingResponse;
}

type Path = ReturnType<typeof pathOf>;

const MAX_PARAMETER = 2_000;
export const JSON_TYPE = 'application/json; charset=utf-8';

/** A JSON server on loopback. All its rejections have a body of the same form. */
export class JsonServer {
  readonly #paths: readonly Path[];
  readonly #hooks: Hooks | undefined;
  readonly #quiet: boolean;
  readonly #server = createServer((incoming, response) => void this.#serve(incoming, response));

  /** With `quiet`, the server logs no failures. */
  constructor(routes: readonly Route[], hooks?: Hooks, quiet = false) {
    this.#paths = [...Map.groupBy(routes, ({ path }) => path)].map(([path, each]) => pathOf(path, each));
    this.#hooks = hooks;
    this.#quiet = quiet;
    // In ms. Longer than any client keeps an idle connection open for its next request.
    this.#server.keepAliveTimeout = 72_000;
  }

  async listen(host: string, port: number): Promise<string> {
    this.#server.listen({ host, port });
    await once(this.#server, 'listening');
    return `http://${host}:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers, socket } = incoming;
    const id = randomUUID();
    const asked = { id, operation: '', method, url, headers, params: {}, socket };
    const path = url.replace(/[?#].*$/s, '');
    const found = this.#paths.find(({ pattern }) => pattern.test(path));
    const params = paramsOf(found, path);
    if (params instanceof Refusal) return send(response, this.#refused(params, asked));
    const request: ServiceRequest = { ...asked, params, operation: found?.routes[0]?.operation ?? '' };
    let outgoing: OutgoingResponse;
    try {
      const early = await this.#hooks?.arrived(request);
      if (early === 'taken') return;
      const reply = early ?? (await routeOf(found, method).handle(request, () => readInto(request, incoming)));
      outgoing = written(reply, id);
    } catch (error) {
      outgoing = this.#refused(error, request);
    }
    try {
      await send(response, this.#hooks?.answered(outgoing, request) ?? outgoing);
    } catch (error) {
      await send(response, this.#refused(error, request));
    }
  }

  #refused(error: unknown, { id, method, url }: ServiceRequest): OutgoingResponse {
    const isOwn = error instanceof Refusal;
    if (!isOwn && !this.#quiet) process.stderr.write(`${method} ${url}: ${(error as Error).stack}\n`);
    const { status, code, message, headers } = isOwn ? error : new Refusal(500, 'internal', 'something went wrong');
    const { headers: usual, ...rest } = written({ status, body: { error: { code, message, requestId: id } } }, id);
    return { ...rest, headers: { ...usual, ...headers } };
  }
}

function pathOf(path: string, routes: readonly Route[]) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return { pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]*)')}$`), names, routes };
}

function paramsOf(found: Path | undefined, path: string): Readonly<Record<string, string>> | Refusal {
  const [, ...values] = found?.pattern.exec(path) ?? [];
  if (values.some(({ length }) => length > MAX_PARAMETER))
    return new Refusal(assumed.pathTooLong, 'path_too_long', 'an id in the path is too long');
  try {
    return Object.fromEntries(values.map((value, index) => [found?.names[index] ?? '', decodeURIComponent(value)]));
  } catch {
    return new Refusal(400, 'invalid_json', 'the request is not valid');
  }
}

/** Finds the route of a method. @throws Refusal if the path is unknown, or doesn't take this method */
function routeOf(found: Path | undefined, method: string): Route {
  if (!found) throw new Refusal(assumed.notFound, 'unknown_path', 'there is nothing at this path');
  const route = found.routes.find((each) => each.method === method);
  if (route) return route;
  const allowed = [...new Set(found.routes.map((each) => each.method))].join(', ');
  throw new Refusal(assumed.methodNotAllowed, 'method_not_allowed', `this path takes ${allowed}`, { allow: allowed });
}

async function readInto(request: ServiceRequest & { body?: unknown }, incoming: IncomingMessage): Promise<unknown> {
  request.body = await readJson(incoming);
  return request.body;
}

function written({ status, body }: Reply, id: string): OutgoingResponse {
  const isEmpty = body === undefined || body === null;
  const headers = { 'x-request-id': id, ...(isEmpty ? {} : { 'content-type': JSON_TYPE }) };
  return { status, headers, body: isEmpty ? '' : JSON.stringify(body) };
}

/** Sends a response. If a streamed body fails halfway, closes the connection. */
async function send(response: ServerResponse, { status, headers, body }: OutgoingResponse): Promise<void> {
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) response.setHeader(name, value);
  response.statusCode = status;
  if (typeof body !== 'string') return pipeline(body, response).catch(() => {});
  const hasLength = headers['content-length'] !== undefined || status === 204 || status === 304;
  if (!hasLength) response.setHeader('content-length', Buffer.byteLength(body));
  response.end(body);
}

/** Reads the body of a request as JSON or as text. `undefined` if there is no body. @throws Refusal */
async function readJson(incoming: IncomingMessage): Promise<unknown> {
  const { 'content-type': type, 'content-length': length = '0', 'transfer-encoding': encoding } = incoming.headers;
  if (type === undefined && encoding === undefined && length === '0') return undefined;
  const media = type?.split(';')[0]?.trim().toLowerCase();
  if (media !== 'application/json' && media !== 'text/plain')
    throw new Refusal(
      assumed.unsupportedMediaType,
      'unsupported_media_type',
      'the body must be sent as application/json',
    );
  const text = await textOf(incoming, Number(length));
  if (media === 'text/plain') return text;
  if (text === '') throw new Refusal(assumed.invalidBody, 'invalid_json', 'the body is empty');
  return parsed(text);
}

async function textOf(incoming: IncomingMessage, length: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A body that is too large is received to its end and dropped. If the service stopped receiving, a client that is still sending would not
  // read the refusal.
  if (length > assumed.maxBodyBytes) incoming.resume();
  else
    try {
      for await (const chunk of incoming as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes <= assumed.maxBodyBytes) chunks.push(chunk);
      }
    } catch {
      throw new Refusal(400, 'invalid_json', 'the body breaks off');
    }
  if (Math.max(length, bytes) > assumed.maxBodyBytes)
    throw new Refusal(assumed.bodyTooLarge, 'body_too_large', 'the body is larger than 1 MiB');
  return Buffer.concat(chunks)
    .toString()
    .replace(/^\uFEFF/, '');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text, /__proto__|\\u|"constructor"/.test(text) ? withoutPrototypes : undefined);
  } catch {
    throw new Refusal(assumed.invalidBody, 'invalid_json', 'the body is not valid JSON');
  }
}

/** Rejects JSON keys such as `__proto__`, which could change the prototype of an object that is created from them. */
function withoutPrototypes(key: string, value: unknown): unknown {
  const isForbidden = key === '__proto__' || (key === 'constructor' && Object.hasOwn(Object(value), 'prototype'));
  if (isForbidden) throw new SyntaxError(`a forbidden key: ${key}`);
  return value;
}
