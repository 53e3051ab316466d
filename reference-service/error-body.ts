import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { assumed } from './assumptions/values.ts';
import { type ErrorBody, Refusal } from './refusal.ts';

/** The framework's rejections, mapped to ours. */
const ownCodes: Readonly<Record<string, [status: number, code: string, message: string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    assumed.unsupportedMediaType,
    'unsupported_media_type',
    'the body must be sent as application/json',
  ],
  FST_ERR_CTP_BODY_TOO_LARGE: [assumed.bodyTooLarge, 'body_too_large', 'the body is larger than 1 MiB'],
  FST_ERR_CTP_EMPTY_JSON_BODY: [assumed.invalidBody, 'invalid_json', 'the body is empty'],
  FST_ERR_CTP_INVALID_JSON_BODY: [assumed.invalidBody, 'invalid_json', 'the body is not valid JSON'],
  FST_ERR_MAX_PARAM_LENGTH: [assumed.pathTooLong, 'path_too_long', 'an id in the path is too long'],
};

/** Gives every rejection and failure of an area the common error body. */
export function refuseWith(app: FastifyInstance, quiet = false): void {
  app.setErrorHandler((error: Error & { code?: string; statusCode?: number }, request, reply) => {
    const refusal = error instanceof Refusal ? error : toRefusal(error);
    if (refusal.status >= 500 && !quiet) process.stderr.write(`${request.method} ${request.url}: ${error.stack}\n`);
    send(reply, request, refusal);
  });
  app.setNotFoundHandler((request, reply) =>
    send(reply, request, new Refusal(assumed.notFound, 'unknown_path', 'there is nothing at this path')),
  );
}

/** For requests that the framework rejects before any route or hook. */
export function frameworkErrors(
  error: Error & { code?: string; statusCode?: number },
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  void reply.header('x-request-id', request.id);
  send(reply, request, toRefusal(error));
}

function toRefusal(error: Error & { code?: string; statusCode?: number }): Refusal {
  const own = ownCodes[error.code ?? ''];
  if (own) return new Refusal(...own);
  const { statusCode = 500 } = error;
  // Other client errors, such as a forbidden key or a wrong content length.
  if (statusCode >= 400 && statusCode < 500)
    return new Refusal(statusCode, statusCode === 400 ? 'invalid_json' : 'bad_request', 'the request is not valid');
  return new Refusal(500, 'internal', 'something went wrong');
}

function send(reply: FastifyReply, request: FastifyRequest, { status, code, message, headers }: Refusal): void {
  const body: ErrorBody = { error: { code, message, requestId: request.id } };
  void reply.code(status).headers(headers).send(body);
}
