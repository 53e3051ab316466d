import { callable } from '../service/index.ts';
import { newSpanId } from './correlation-headers.ts';
import type { Exchange } from './exchange.ts';

/** A span as it is exported: a scenario, or one of its calls. Its texts are masked once more on their way out. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** Absent for the span of a scenario, and for a call outside of one. */
  readonly parentId?: string | undefined;
  readonly kind: 'client' | 'internal';
  readonly name: string;
  /** Epoch, in ms. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  /** Its status is an error, with this description; `''` if the attributes are enough. */
  readonly error?: string | undefined;
}

/** The span of a call, by OpenTelemetry's semantic conventions for HTTP clients. Its id is the one that the service was sent. */
export function callSpan(exchange: Exchange, parent: Pick<Span, 'traceId' | 'parentId'>, environment: string): Span {
  const { operation, area, request, response, failure, serverAddress = '', sentAgain } = exchange;
  const { hostname, port, protocol } = new URL(request.url);
  const entry = callable(operation);
  // The team states what the specification leaves open, so that text is no name for a span.
  const template = 'path' in entry ? String(entry.path) : undefined;
  const status = response?.status;
  const errorType = failure?.code ?? (status !== undefined && status >= 400 ? String(status) : undefined);
  const [, peer, peerPort] = /^(.*):(\d+)$/.exec(serverAddress) ?? [];
  return {
    ...parent,
    spanId: request.correlation['traceparent']?.split('-')[2] ?? newSpanId(),
    kind: 'client',
    name: template ? `${request.method} ${template}` : request.method,
    startedAt: exchange.startedAt,
    durationMs: exchange.durationMs,
    attributes: {
      'http.request.method': request.method,
      'http.request.resend_count': sentAgain && 1,
      'http.response.status_code': status,
      'url.full': request.url,
      'url.template': template,
      'server.address': hostname.replace(/^\[|\]$/g, ''),
      'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
      'network.peer.address': peer?.replace(/^\[|\]$/g, ''),
      'network.peer.port': peerPort && Number(peerPort),
      'user_agent.original': request.correlation['user-agent'],
      'error.type': errorType,
      'sextant.operation': operation,
      'sextant.area': area,
      'sextant.environment': environment,
    },
    error: errorType && (failure?.reason ?? ''),
  };
}
