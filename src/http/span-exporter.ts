import type { Agent } from 'node:http';
import { gzipSync } from 'node:zlib';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { convertLegacyHttpOptions } from '@opentelemetry/otlp-exporter-base/node-http';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan, TracerProvider } from '@opentelemetry/sdk-trace';
import { keepSecrets, redact, Secret } from '../redaction/index.ts';
import type { Span } from './call-span.ts';
import { reasonOfCode } from './connection-failure.ts';
import { userAgent } from './correlation-headers.ts';
import { parsedJson, valueAt } from './json.ts';
import { fetchByRoute, makeAgent, shortAnswer } from './node-transport.ts';
import { proxyHref, type Route } from './route.ts';

/** How long the end of a process waits for a collector that is slow or never responds, in ms. */
const END_MS = 1_000;

/** Spans that wait for a slow collector; further ones are lost. */
const MOST_WAITING = 8_192;

/** A shorter header is no credential, but e.g. the name of a tenant, and would be masked in every text that has this word. */
const SHORTEST_SECRET = 12;

export interface SpanExporter {
  add(span: Span, route: Route | undefined): void;
  /** Sends what waits. */
  end(): Promise<void>;
}

/**
 * Sends spans to a collector over OTLP/HTTP, as JSON, with the settings that OpenTelemetry's packages read from the variables. Their own
 * exporter repeats what fails for ten seconds, and keeps the process alive for that. Here, spans that can't be sent are lost.
 */
export async function spanExporter(warn: (line: string) => void): Promise<SpanExporter> {
  const options = convertLegacyHttpOptions({}, 'TRACES', 'v1/traces', {});
  const url = new URL(options.url);
  const given = await options.headers();
  const secrets = [url.password, ...Object.values(given).flatMap((value) => [value, value.split(' ').at(-1) ?? ''])];
  keepSecrets(secrets.filter(({ length }) => length >= SHORTEST_SECRET).map((value) => new Secret(value)));
  const isGzip = options.compression === 'gzip';
  const headers = {
    ...given,
    'content-type': 'application/json',
    'user-agent': userAgent,
    ...(isGzip ? { 'content-encoding': 'gzip' } : {}),
  };
  const stopped = new AbortController();
  let hasWarned = false;
  const lose = (why: string) => {
    if (!hasWarned) warn(`Traces don't reach the collector at ${url.host}: ${why}. No verdict depends on this.`);
    hasWarned = true;
  };
  const send = async (spans: ReadableSpan[], agent: Agent) => {
    const text = redact(new TextDecoder().decode(JsonTraceSerializer.serializeRequest(spans)));
    const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(options.timeoutMillis)]);
    const request = { method: 'POST', headers, body: isGzip ? gzipSync(text) : text, signal, agent };
    const response = await fetchByRoute(url, request);
    const { statusCode: status = 0 } = response;
    const said = await shortAnswer(response);
    if (status < 200 || status > 299) return lose(`it returned status ${status}`);
    const rejected = Number(valueAt(parsedJson(said), '/partialSuccess/rejectedSpans') ?? 0);
    if (rejected > 0) lose(`it rejected ${rejected} of ${spans.length} spans`);
  };
  const underWay = new Set<Promise<void>>();
  /** By the proxy on the way: environments may have different ones. */
  const providers = new Map<string, TracerProvider>();
  let next: Pick<Span, 'traceId' | 'spanId'> = { traceId: '', spanId: '' };
  const providerBy = (route: Route | undefined): TracerProvider => {
    const proxy = route?.proxyFor(url);
    if (proxy && url.protocol === 'http:' && Object.keys(given).length > 0)
      throw new Error('its address is http://, so its headers would reach the proxy in the clear');
    const ca = route?.tls.ca;
    const key = proxy ? `${proxyHref(proxy)} ${ca}` : '';
    const known = providers.get(key);
    if (known) return known;
    const agent = proxy
      ? makeAgent(url, { proxyFor: () => proxy, pins: [], tls: ca ? { ca } : {} })
      : options.agentFactory(url.protocol);
    const exporter = {
      export: (spans: ReadableSpan[], done: (result: { code: 0 }) => void) => {
        const sent = Promise.resolve(agent)
          .then((ready) => send(spans, ready))
          .catch((error: unknown) => lose(reasonOf(error, options.timeoutMillis)))
          .finally(() => {
            underWay.delete(sent);
            // A failure has been reported: the processor has nothing to add.
            done({ code: 0 });
          });
        underWay.add(sent);
      },
      shutdown: async () => {},
    };
    const made = new TracerProvider({
      resource: defaultResource()
        .merge(resourceFromAttributes({ 'service.name': 'sextant', 'service.version': userAgent.split('/')[1] }))
        .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] })),
      idGenerator: { generateTraceId: () => next.traceId, generateSpanId: () => next.spanId },
      spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize: MOST_WAITING })],
    });
    providers.set(key, made);
    return made;
  };
  const add = (span: Span, route: Route | undefined) => {
    const { traceId, parentId: spanId, kind, name, startedAt, durationMs, attributes, error } = span;
    next = span;
    const parent = spanId ? { traceId, spanId, traceFlags: TraceFlags.SAMPLED } : undefined;
    const made = providerBy(route)
      .getTracer('sextant')
      .startSpan(
        name,
        { kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL, startTime: startedAt, attributes },
        parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
      );
    if (error !== undefined) made.setStatus({ code: SpanStatusCode.ERROR, message: error });
    made.end(startedAt + durationMs);
  };
  return {
    add: (span, route) => {
      try {
        add(span, route);
      } catch (error) {
        lose((error as Error).message);
      }
    },
    end: async () => {
      const late = () => stopped.abort(new Error(`no response ${END_MS} ms after the end of the run`));
      const timer = setTimeout(late, END_MS);
      await Promise.all([...providers.values()].map((each) => each.forceFlush()));
      await Promise.all(underWay);
      clearTimeout(timer);
    },
  };
}

function reasonOf(error: unknown, timeoutMs: number): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string } };
  if (name === 'TimeoutError') return `no response within ${timeoutMs} ms`;
  return cause?.code ? (reasonOfCode(cause.code) ?? cause.code) : message;
}
