import { receiver } from '../monitor/receiver.ts';
import type { Arrival } from './arrivals.ts';

/** A span as a collector gets it, with its attributes by name. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status: { readonly code: number; readonly message?: string };
  readonly attributes: Readonly<Record<string, unknown>>;
}

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ReceivedSpan, 'attributes'> & { readonly attributes: readonly KeyValue[] })[];
    }[];
  }[];
}

const byName = (attributes: readonly KeyValue[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** A collector for OTLP/HTTP in JSON that keeps the spans that it gets. */
export async function startCollector(reactions?: Parameters<typeof receiver>[0]) {
  const collector = await receiver(reactions);
  const sent = () => collector.received.flatMap(({ body }) => (JSON.parse(body) as Sent).resourceSpans);
  return {
    ...collector,
    resources: () => sent().map(({ resource }) => byName(resource.attributes)),
    spans: (): ReceivedSpan[] =>
      sent().flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, attributes: byName(span.attributes) }))),
      ),
  };
}

/** Pairs of ids, `trace-span`: from the `traceparent` of requests that arrived, and from the spans of calls. */
export const idsOf = {
  arrivals: (all: readonly Pick<Arrival, 'headers'>[]) =>
    all.flatMap(({ headers: { traceparent } }) =>
      traceparent ? String(traceparent).split('-').slice(1, 3).join('-') : [],
    ),
  calls: (spans: readonly ReceivedSpan[]) =>
    spans.filter(({ kind }) => kind === 3).map(({ traceId, spanId }) => `${traceId}-${spanId}`),
};
