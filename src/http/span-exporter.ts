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

/** How long a process that ends waits for a collector that is slow or never responds, in ms. */
const END_MS = 1_000;

/** Limit of spans that wait for a slow collector. Further spans are lost. */
const MOST_WAITING = 8_192;

/**
 * Minimum length of a secret, in characters. A shorter value of a header is more likely a name, for example of a tenant. If it were masked,
 * that word would be masked in every text.
 */
const SHORTEST_SECRET = 12;

/** Builds the exporter with the settings that OpenTelemetry's packages read from environment variables. */
export async function spanExporter(warn: (line: string) => void): Promise<SpanExporter> {
  const options = convertLegacyHttpOptions({}, 'TRACES', 'v1/traces', {});
  const given = await options.headers();
  const { password } = new URL(options.url);
  const secrets = [password, ...Object.values(given).flatMap((value) => [value, value.split(' ').at(-1) ?? ''])];
  keepSecrets(secrets.filter(({ length }) => length >= SHORTEST_SECRET).map((value) => new Secret(value)));
  return new SpanExporter(options, given, warn);
}

type HttpOptions = ReturnType<typeof convertLegacyHttpOptions>;

/**
 * Sends spans to a collector over OTLP/HTTP, as JSON. OpenTelemetry's own exporter retries for ten seconds and keeps the process alive meanwhile.
 * This exporter drops spans that it can't send.
 */
export class SpanExporter {
  readonly #options: HttpOptions;
  readonly #url: URL;
  readonly #given: Readonly<Record<string, string>>;
  readonly #warn: (line: string) => void;
  readonly #stopped = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  /** The providers by proxy, because environments may have different proxies. */
  readonly #providers = new Map<string, TracerProvider>();
  #hasWarned = false;
  #next: Pick<Span, 'traceId' | 'spanId'> = { traceId: '', spanId: '' };

  constructor(options: HttpOptions, given: Readonly<Record<string, string>>, warn: (line: string) => void) {
    this.#options = options;
    this.#url = new URL(options.url);
    this.#given = given;
    this.#warn = warn;
  }

  add(span: Span, route: Route | undefined): void {
    try {
      this.#add(span, route);
    } catch (error) {
      this.#lose((error as Error).message);
    }
  }

  /** Sends the waiting spans, and waits END_MS for the collector at most. */
  async end(): Promise<void> {
    const late = () => this.#stopped.abort(new Error(`no response ${END_MS} ms after the end of the run`));
    const timer = setTimeout(late, END_MS);
    await Promise.all([...this.#providers.values()].map((each) => each.forceFlush()));
    await Promise.all(this.#underWay);
    clearTimeout(timer);
  }

  #add(span: Span, route: Route | undefined): void {
    const { traceId, parentId: spanId, kind, name, startedAt, durationMs, attributes, error } = span;
    this.#next = span;
    const parent = spanId ? { traceId, spanId, traceFlags: TraceFlags.SAMPLED } : undefined;
    const made = this.#providerBy(route)
      .getTracer('sextant')
      .startSpan(
        name,
        { kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL, startTime: startedAt, attributes },
        parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
      );
    if (error !== undefined) made.setStatus({ code: SpanStatusCode.ERROR, message: error });
    made.end(startedAt + durationMs);
  }

  #providerBy(route: Route | undefined): TracerProvider {
    const proxy = route?.proxyFor(this.#url);
    if (proxy && this.#url.protocol === 'http:' && Object.keys(this.#given).length > 0)
      throw new Error('its address is http://, so its headers would reach the proxy in the clear');
    const ca = route?.tls.ca;
    const key = proxy ? `${proxyHref(proxy)} ${ca}` : '';
    const known = this.#providers.get(key);
    if (known) return known;
    const agent = proxy
      ? makeAgent(this.#url, { proxyFor: () => proxy, pins: [], tls: ca ? { ca } : {} })
      : this.#options.agentFactory(this.#url.protocol);
    const made = new TracerProvider({
      resource: defaultResource()
        .merge(resourceFromAttributes({ 'service.name': 'sextant', 'service.version': userAgent.split('/')[1] }))
        .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] })),
      idGenerator: { generateTraceId: () => this.#next.traceId, generateSpanId: () => this.#next.spanId },
      spanProcessors: [new BatchSpanProcessor({ exporter: this.#exporterBy(agent), maxQueueSize: MOST_WAITING })],
    });
    this.#providers.set(key, made);
    return made;
  }

  #exporterBy(agent: Agent | Promise<Agent>) {
    return {
      export: (spans: ReadableSpan[], done: (result: { code: 0 }) => void) => {
        const sent = Promise.resolve(agent)
          .then((ready) => this.#send(spans, ready))
          .catch((error: unknown) => this.#lose(reasonOf(error, this.#options.timeoutMillis)))
          .finally(() => {
            this.#underWay.delete(sent);
            // Reports success even after a failure, because `#lose` has already reported the failure.
            done({ code: 0 });
          });
        this.#underWay.add(sent);
      },
      shutdown: async () => {},
    };
  }

  async #send(spans: ReadableSpan[], agent: Agent): Promise<void> {
    const { compression, timeoutMillis } = this.#options;
    const isGzip = compression === 'gzip';
    const text = redact(new TextDecoder().decode(JsonTraceSerializer.serializeRequest(spans)));
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(timeoutMillis)]);
    const headers = {
      ...this.#given,
      'content-type': 'application/json',
      'user-agent': userAgent,
      ...(isGzip ? { 'content-encoding': 'gzip' } : {}),
    };
    const request = { method: 'POST', headers, body: isGzip ? gzipSync(text) : text, signal, agent };
    const response = await fetchByRoute(this.#url, request);
    const { statusCode: status = 0 } = response;
    const said = await shortAnswer(response);
    if (status < 200 || status > 299) return this.#lose(`it returned status ${status}`);
    const rejected = Number(valueAt(parsedJson(said), '/partialSuccess/rejectedSpans') ?? 0);
    if (rejected > 0) this.#lose(`it rejected ${rejected} of ${spans.length} spans`);
  }

  #lose(why: string): void {
    if (!this.#hasWarned)
      this.#warn(`Traces don't reach the collector at ${this.#url.host}: ${why}. No verdict depends on this.`);
    this.#hasWarned = true;
  }
}

function reasonOf(error: unknown, timeoutMs: number): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string } };
  if (name === 'TimeoutError') return `no response within ${timeoutMs} ms`;
  return cause?.code ? (reasonOfCode(cause.code) ?? cause.code) : message;
}
