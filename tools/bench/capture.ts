import { randomUUID } from 'node:crypto';
import diagnostics from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { Listening } from '../../src/config/index.ts';
import { runAll, scenarios } from '../../src/runner/index.ts';
import { embeddedEnvironment } from '../../src/testing/test-environment.ts';
import type { BareRequest } from './bare-requests.ts';

/** The requests of one whole check of a service, with their credentials, in the order in which they were answered. */
export async function captureCheck(serving: Listening): Promise<BareRequest[]> {
  const sent = new Map<string, BareRequest>();
  const onResponse = (message: unknown) => {
    const { request } = message as { request: ClientRequest };
    const headers = Object.fromEntries(
      Object.entries(request.getHeaders()).map(([name, value]) => [name, String(value)]),
    );
    const { host, traceparent = randomUUID(), 'content-length': _made, connection: _kept, ...rest } = headers;
    sent.set(traceparent, { url: `http://${host}${request.path}`, method: request.method, headers: rest });
  };
  diagnostics.subscribe('http.client.response.finish', onResponse);
  try {
    const environment = embeddedEnvironment(serving);
    const results = await runAll(await scenarios(), { environment, seed: randomUUID(), runId: randomUUID() });
    const bad = results.find(({ verdict }) => verdict !== 'passed');
    if (bad) throw new Error(`${bad.title}: ${bad.verdict}, ${bad.reason}`);
    const exchanges = results.flatMap(({ exchanges }) => exchanges);
    return exchanges.map(({ request: { correlation, body } }) => {
      const request = sent.get(correlation.traceparent ?? '');
      if (!request) throw new Error('a request was not captured');
      return { ...request, ...(body === undefined ? {} : { body }) };
    });
  } finally {
    diagnostics.unsubscribe('http.client.response.finish', onResponse);
  }
}
