import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readBody } from '../../client/http/body.ts';
import type { HttpRequest, Transport } from '../../client/http/transport.ts';
import { CALL_HEADER, callUnderWay, type WireCall, type WireTrace, watchWire } from '../../client/http/wire.ts';
import { type Exchange, Redactor } from '../../client/index.ts';
import type { Transports } from '../../scenario/index.ts';
import { headers as headerTable } from '../../spec/index.ts';
import type { Forward, Replied, WireRequest } from './act.ts';
import type { FaultyWire } from './faulty-wire.ts';

// `import` reads every export, and so loads a WebSocket client: 40 ms of each process.
const { createServer } = process.getBuiltinModule('node:http');

const blank = new Redactor();
const credentialNames = Object.values(headerTable)
  .filter(({ kind }) => kind === 'credential')
  .map(({ name }) => name);

/**
 * Serves the replies of a drill on a real connection, on loopback. A request gets here without credentials: the wire puts them on for
 * the service's origin alone.
 */
export class ReplyServer {
  readonly #replies = new Map<string, Replied | 'reset' | 'silence'>();
  readonly #server = createServer((request, response) => {
    const id = (request.url ?? '').slice(1);
    const reply = this.#replies.get(id);
    this.#replies.delete(id);
    request.resume();
    giveReply(reply ?? 'reset', request, response);
  });

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  addressOf(reply: Replied | 'reset' | 'silence'): URL {
    const id = randomUUID();
    this.#replies.set(id, reply);
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${id}`);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

export function giveReply(
  reply: Replied | 'reset' | 'silence',
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (reply === 'silence') return;
  if (reply === 'reset') return void request.socket.resetAndDestroy();
  const { status, type, body, headers: own, afterMs = 0 } = reply;
  setTimeout(
    () => response.writeHead(status, { ...own, ...(type ? { 'content-type': type } : {}) }).end(body),
    afterMs,
  );
}

/**
 * Transports with a fault on the wire. What isn't broken goes to the service as ever: the same sockets, TLS, headers, credentials.
 * `sent` is asked before each request to the service.
 */
export function faultyTransports(
  wire: FaultyWire,
  inner: Transports,
  { replies, sent }: { readonly replies: ReplyServer; readonly sent: () => Promise<void> },
): Transports {
  return {
    of: async (area) => faulty(await inner.of(area), wire, replies, sent),
    ask: async (url, request) => {
      const response = await inner.ask(url, request);
      // The users of a provisioner are known to the wire.
      if (response.status < 300) wire.identities.provisioned(response.body);
      return response;
    },
    dispose: () => inner.dispose(),
  };
}

function faulty(transport: Transport, wire: FaultyWire, replies: ReplyServer, sent: () => Promise<void>): Transport {
  return {
    request: async (request) => {
      const { call, trace } = callUnderWay(request.headers[CALL_HEADER] ?? '') ?? {};
      if (!call || !trace) return transport.request(request);
      const asked = inClear(request, call);
      let tampered: NonNullable<Exchange['tampered']> = 'not sent';
      const forward: Forward = async (changed, changesNothing = false) => {
        if (!changesNothing) tampered = 'not done';
        await sent();
        const own = await forwarded(transport, request, call, changed);
        if (changed.path === asked.path && changed.body === asked.body && wire.isSuccess(own)) tampered = 'done';
        return own;
      };
      const reply = await wire.reply(asked, forward).catch(() => 'reset' as const);
      if (reply !== undefined) {
        const replying = transport.request({ ...request, url: replies.addressOf(reply) });
        await replying.catch((error: unknown) => {
          // One that was stopped before its reply looks as if it had never been sent: its change would not be undone.
          if (tampered !== 'not sent') trace.marks.reused ??= performance.now();
          throw error;
        });
        return tampered;
      }
      await sent();
      await transport.request(request);
      if (trace.head) wire.passed(asked, await replied(trace));
      return undefined;
    },
  };
}

/** A request as the service would get it. It stays in this process. */
function inClear({ url, method, headers, body = '' }: HttpRequest, { credentials }: WireCall): WireRequest {
  const all = { ...headers, ...Object.fromEntries(credentials) };
  const named = Object.entries(all).filter(([name]) => name !== CALL_HEADER);
  const inLower = Object.fromEntries(named.map(([name, value]) => [name.toLowerCase(), value]));
  return { method, path: url.pathname + url.search, headers: inLower, body };
}

/** Sends a changed request to the service in place of another: to the same origin, with the credentials put on at its socket. */
async function forwarded(
  transport: Transport,
  request: HttpRequest,
  call: WireCall,
  { method, path, headers, body }: WireRequest,
): Promise<Replied> {
  const id = randomUUID();
  const credentials = new Map(
    credentialNames.flatMap((name) => {
      const value = headers[name.toLowerCase()];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  const clear = Object.entries(headers).filter(
    ([name]) => !credentialNames.some((each) => each.toLowerCase() === name),
  );
  const { body: _, ...rest } = request;
  const { trace, end } = watchWire({ ...call, id, credentials, redactor: blank });
  try {
    await transport.request({
      ...rest,
      method,
      url: new URL(path, call.origin),
      headers: { ...Object.fromEntries(clear), [CALL_HEADER]: id },
      ...(body === '' ? {} : { body }),
    });
    return await replied(trace);
  } finally {
    end();
  }
}

async function replied({ head, chunks, contentEncoding }: WireTrace): Promise<Replied> {
  const body = await readBody(Buffer.concat(chunks), contentEncoding, Number.MAX_SAFE_INTEGER, blank);
  const type = head?.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? null;
  return { status: head?.status ?? 502, type, body: body.text };
}
