import { callable } from '../service/index.ts';
import { newSpanId } from './correlation-headers.ts';
import type { Exchange } from './exchange.ts';

/** A span to export, for a scenario or for one of its calls. Before the exporter sends a span, it masks secrets in all of its texts. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** Absent for the span of a scenario, and for a call outside of a scenario. */
  readonly parentId?: string | undefined;
  readonly kind: 'client' | 'internal';
  readonly name: string;
  /** Epoch, in ms. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  /** If present, the span's status is an error with this description; `''` if the attributes describe the error. */
  readonly error?: string | undefined;
}

/** Makes the span of a call, by OpenTelemetry's semantic conventions for HTTP clients. The span has the id that the service got in `traceparent`. */
export function callSpan(exchange: Exchange, parent: Pick<Span, 'traceId' | 'parentId'>, environment: string): Span {
  const { operation, area, request, response, failure, serverAddress = '', sentAgain } = exchange;
  const { hostname, port, protocol } = new URL(request.url);
  const entry = callable(operation);
  // Only `readProfile` has no path in the specification, because each team configures its own. The name of its span is the method alone.
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
