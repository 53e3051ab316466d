import type { OutgoingResponse } from '../json-server.ts';
import { ofKind } from './kind.ts';
import { onSuccess } from './tamper.ts';

const page = '<!doctype html><title>Welcome</title><p>It works.';
const trace = "TypeError: Cannot read properties of undefined (reading 'id')\n    at deleteItem (/srv/storage.js:7:11)";
const sense = 'common sense: success is a 2xx';

/** A header more, or another one. */
const withHeader =
  (name: string, value: string, rest: Partial<OutgoingResponse> = {}): Parameters<typeof onSuccess>[0] =>
  ({ headers }) => ({ headers: { ...headers, [name]: value }, ...rest });

const saying = (body: string) => onSuccess(() => ({ body }));

/** Responses that claim success wrongly, or can't be read. */
export const answerFaults = [
  ...ofKind('answer', sense, {
    'love-done-but-404': { respond: onSuccess(() => ({ status: 404 })) },
    'updateProfile-done-but-500': { respond: onSuccess(() => ({ status: 500 })) },
    'saveAvatar-done-but-302': { respond: onSuccess(withHeader('location', '/v1/profile', { status: 302 })) },
    'unblock-done-but-401': { respond: onSuccess(() => ({ status: 401 })) },
    'reportOptions-done-but-304': { respond: onSuccess(() => ({ status: 304, body: '' })) },
  }),
  ...ofKind('answer', 'part 1: all payloads are JSON over HTTP', {
    'cloneType-answers-a-web-page': { respond: onSuccess(withHeader('content-type', 'text/html', { body: page })) },
    'block-answers-text-for-json': { respond: onSuccess(withHeader('content-type', 'text/plain', { body: 'OK' })) },
    'report-calls-json-text': { respond: onSuccess(withHeader('content-type', 'text/plain')) },
    'evaluate-answers-half-a-body': {
      respond: onSuccess(({ body }) => ({ body: body.toString().slice(0, body.toString().length / 2) })),
    },
    'listBlockers-answers-two-bodies': { respond: onSuccess(({ body }) => ({ body: `${body}${body}` })) },
    'listBlocked-answers-nothing': {
      breaks: 'row 2 and part 1: the caller lists the users',
      respond: saying(''),
    },
    'reportOptions-answers-nothing': {
      breaks: 'part 4, rule 2: the options are returned',
      respond: saying(''),
    },
    'evaluate-answers-nothing': {
      breaks: 'part 4, rule 5: the default is the fallback value',
      respond: saying(''),
    },
    'listBlocked-answers-json-in-a-string': {
      breaks: 'row 2: the response lists users',
      respond: onSuccess(({ body }) => ({ body: JSON.stringify(body.toString()) })),
    },
    'love-answers-nan': { respond: saying('{"loves":NaN}') },
    'unlove-answers-single-quotes': { respond: saying("{'loved':false}") },
    'updateProfile-claims-gzip': { respond: onSuccess(withHeader('content-encoding', 'gzip')) },
    'reportOptions-answers-a-padded-script': { respond: onSuccess(({ body }) => ({ body: `)]}',\n${body}` })) },
    'deleteItem-shows-a-trace-in-place-of-json': {
      respond: onSuccess(withHeader('content-type', 'text/plain', { status: 200, body: trace })),
    },
  }),
];
