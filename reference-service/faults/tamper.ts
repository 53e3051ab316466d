import type { Handler } from '../handler-request.ts';
import type { OutgoingResponse, Reply, ServiceRequest } from '../json-server.ts';
import type { Fault } from './fault-switch.ts';

type Tamper = NonNullable<Fault['respond']>;

/** Changes the reply of the original handler. */
export function replying(change: (reply: Reply) => Reply): NonNullable<Fault['handle']> {
  return (original: Handler) => (visit) => change(original(visit));
}

/** Changes the body of the original handler's reply. */
export function bodied(change: (body: unknown) => unknown): NonNullable<Fault['handle']> {
  return replying((reply) => ({ ...reply, body: change(reply.body) }));
}

/** Changes successful responses. */
export function onSuccess(change: (response: OutgoingResponse) => Partial<OutgoingResponse>): Tamper {
  return () => (response) => (response.status < 300 ? { ...response, ...change(response) } : response);
}

/** Changes rejections. */
export function onRefusal(
  change: (response: OutgoingResponse, request: ServiceRequest) => Partial<OutgoingResponse>,
): Tamper {
  return () => (response, request) =>
    response.status >= 400 ? { ...response, ...change(response, request) } : response;
}

/** Turns rejections with error code `code` into a crash. */
export function crashOn(code: string): Tamper {
  return onRefusal((response) => (response.body.toString().includes(`"${code}"`) ? crashed : {}));
}

/** Turns every response to a matching request body into a crash. */
export function crashWhen(applies: (body: string) => boolean): Tamper {
  return () => (response, request) =>
    applies(JSON.stringify(request.body) ?? '') ? { ...response, ...crashed } : response;
}

export const crashed: Pick<OutgoingResponse, 'status' | 'body'> = {
  status: 500,
  body: '{"error":{"code":"internal","message":"something went wrong"}}',
};

/** The parsed JSON body of a response. */
export function parsedBody(response: OutgoingResponse): unknown {
  return typeof response.body === 'string' && response.body !== '' ? JSON.parse(response.body) : undefined;
}
