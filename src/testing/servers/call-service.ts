import { type Service, seeded } from '../../../reference-service/index.ts';
import { type OperationId, operation } from '../../service/index.ts';

/** The headers of a user of the reference service: all that any operation needs. */
export const asCaller = {
  authorization: `Bearer ${seeded.caller.accessToken}`,
  'mm-client-id': seeded.client.clientId,
  'mm-user-id': seeded.caller.userId,
  'mm-api-key': seeded.client.apiKey,
  'app-bundle': 'b',
  'app-ver': '1.2',
  'app-platform': 'web',
  'app-lang': 'en',
  'app-env': 'test',
};

export interface CallOptions {
  readonly body?: unknown;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

/** Calls an operation without the suite's client. A `body` that is a text is sent unchanged, any other value as JSON. */
export async function callService(service: Service, id: OperationId, options: CallOptions = {}) {
  const { area, method, path } = operation(id);
  const { body, headers = asCaller } = options;
  const response = await fetch(`${service.addresses[area]}${options.path ?? path}`, {
    method: options.method ?? method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: text === '' ? undefined : JSON.parse(text) };
}
