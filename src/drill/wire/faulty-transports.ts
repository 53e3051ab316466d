import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  CALL_HEADER,
  callUnderWay,
  type Exchange,
  type HttpRequest,
  readBody,
  type Transport,
  type WireCall,
  type WireTrace,
  watchWire,
} from '../../http/index.ts';
import { Redactor } from '../../redaction/index.ts';
import type { Transports } from '../../scenario/index.ts';
import type { Replied, Reply, WireRequest } from './faults.ts';
import type { FaultyWire, Forward } from './faulty-wire.ts';

const blank = new Redactor();

/**
 * Transports that apply the fault of `wire`. Requests without the fault reach the service as usual, with the same sockets, TLS, headers and
 * credentials.
 */
export function faultyTransports(wire: FaultyWire, inner: Transports): Transports {
  return {
    of: async (area) => faulty(await inner.of(area), wire),
    ask: inner.ask,
    dispose: () => inner.dispose(),
  };
}

function faulty(transport: Transport, wire: FaultyWire): Transport {
  return {
    request: async (request) => {
      const { call, trace } = callUnderWay(request.headers[CALL_HEADER] ?? '') ?? {};
      if (!call || !trace) return transport.request(request);
      const asked = inClear(request, call);
      let tampered: NonNullable<Exchange['tampered']> = 'not sent';
      const forward: Forward = async () => {
        tampered = 'not done';
        const own = await forwarded(transport, request, call);
        if (wire.isSuccess(own)) tampered = 'done';
        return own;
      };
      const reply = await wire.reply(asked, forward).catch(() => 'reset' as const);
      if (reply !== undefined) {
        await give(reply, trace, request.signal);
        return tampered;
      }
      await transport.request(request);
      if (trace.head) wire.passed(asked, await replied(trace));
      return undefined;
    },
  };
}

/** Ends a call with a reply of the drill, as if a service had sent it. */
async function give(reply: Reply, trace: WireTrace, signal: AbortSignal): Promise<void> {
  const { marks } = trace;
  trace.created = true;
  marks.reused = performance.now();
  if (reply === 'silence') {
    if (!signal.aborted) await once(signal, 'abort');
    throw signal.reason;
  }
  if (reply === 'reset') {
    trace.error = Object.assign(new Error('reset by the drill'), { code: 'ECONNRESET', syscall: 'read' });
    throw trace.error;
  }
  marks.response = performance.now();
  marks.end = marks.response;
  trace.head = { status: reply.status, statusText: '', headers: reply.type ? [['content-type', reply.type]] : [] };
  trace.chunks.push(Buffer.from(reply.body));
}

/** The request as the service would receive it, with unmasked credentials. It stays in this process. */
function inClear({ url, method, headers, body = '' }: HttpRequest, { credentials }: WireCall): WireRequest {
  const all = { ...headers, ...Object.fromEntries(credentials) };
  const named = Object.entries(all).filter(([name]) => name !== CALL_HEADER);
  const inLower = Object.fromEntries(named.map(([name, value]) => [name.toLowerCase(), value]));
  return { method, path: url.pathname + url.search, headers: inLower, body };
}

/** Sends a request to the service as a separate call, whose response the suite doesn't see. */
async function forwarded(transport: Transport, request: HttpRequest, call: WireCall): Promise<Replied> {
  const id = randomUUID();
  const { trace, end } = watchWire({ ...call, id, redactor: blank });
  try {
    await transport.request({ ...request, headers: { ...request.headers, [CALL_HEADER]: id } });
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
