import type { FastifyRequest } from 'fastify';
import type { Handler, Reply } from '../handler-request.ts';
import type { Fault, OutgoingResponse } from './fault-switch.ts';

type Tamper = NonNullable<Fault['answer']>;

/** Changes the reply of an honest handler. */
export function replying(change: (reply: Reply) => Reply): NonNullable<Fault['handle']> {
  return (honest: Handler) => (visit) => change(honest(visit));
}

/** Changes the body of an honest handler's reply. */
export function bodied(change: (body: unknown) => unknown): NonNullable<Fault['handle']> {
  return replying((reply) => ({ ...reply, body: change(reply.body) }));
}

/** Changes answers that tell success. */
export function onSuccess(change: (answer: OutgoingResponse) => Partial<OutgoingResponse>): Tamper {
  return () => (answer) => (answer.status < 300 ? { ...answer, ...change(answer) } : answer);
}

/** Changes refusals. */
export function onRefusal(
  change: (answer: OutgoingResponse, request: FastifyRequest) => Partial<OutgoingResponse>,
): Tamper {
  return () => (answer, request) => (answer.status >= 400 ? { ...answer, ...change(answer, request) } : answer);
}

/** A refusal whose error code is `code` becomes what a service makes of it that crashed. */
export function crashOn(code: string): Tamper {
  return onRefusal((answer) => (answer.body.toString().includes(`"${code}"`) ? crashed : {}));
}

/** A request whose body holds something becomes a crash, whatever came of it. */
export function crashWhen(applies: (body: string) => boolean): Tamper {
  return () => (answer, request) => (applies(JSON.stringify(request.body) ?? '') ? { ...answer, ...crashed } : answer);
}

export const crashed: Pick<OutgoingResponse, 'status' | 'body'> = {
  status: 500,
  body: '{"error":{"code":"internal","message":"something went wrong"}}',
};

/** What an answer says in JSON. */
export function said(answer: OutgoingResponse): unknown {
  return typeof answer.body === 'string' && answer.body !== '' ? JSON.parse(answer.body) : undefined;
}
