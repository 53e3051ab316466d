import type { CallableId } from '../../src/spec/index.ts';
import type { ServiceRequest } from '../json-server.ts';
import { Refusal } from '../refusal.ts';
import type { Fault } from './fault-switch.ts';
import { type CataloguedFault, handle, ofKind } from './kind.ts';
import { crashed, crashOn, crashWhen, onRefusal } from './tamper.ts';

const sense = 'common sense: an invalid request is the caller’s mistake, a 4xx';
const quiet = 'common sense: an error discloses neither internals of the service nor a credential';
const noEffect = 'common sense: a rejected request has no effect';

const clumsy = (
  name: string,
  operation: CallableId,
  breaks: string,
  respond: NonNullable<Fault['respond']>,
): Omit<CataloguedFault, 'kind'> => ({ name: `${operation}-${name}`, operation, grade: 'assumed', breaks, respond });

const body = (request: ServiceRequest) => (request.body ?? {}) as Record<string, unknown>;
/** Crashes on an invalid field. */
const crashIf = (applies: (body: Record<string, unknown>, request: ServiceRequest) => boolean) => () =>
  ((response, request) =>
    request.body !== undefined && applies(body(request), request)
      ? { ...response, ...crashed }
      : response) satisfies ReturnType<NonNullable<Fault['respond']>>;

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

/** Crashes on invalid input, and errors that disclose too much. */
export const inputFaults = ofKind('input', [
  clumsy(
    'crashes-on-a-missing-field',
    'block',
    sense,
    crashIf((given) => !('friendId' in given)),
  ),
  clumsy(
    'crashes-on-a-wrong-type',
    'love',
    sense,
    crashIf(({ storyId }) => typeof storyId === 'number' || typeof storyId === 'object'),
  ),
  clumsy(
    'crashes-on-null',
    'saveAvatar',
    sense,
    crashIf(({ items }) => items === null),
  ),
  clumsy(
    'crashes-on-null-deep-inside',
    'saveAvatar',
    sense,
    crashIf(({ items }) => Array.isArray(items) && items.some((item) => item?.itemId === null)),
  ),
  clumsy(
    'crashes-on-an-empty-text',
    'evaluate',
    sense,
    crashIf(({ key }) => key === ''),
  ),
  clumsy(
    'crashes-on-an-empty-name',
    'updateProfile',
    sense,
    crashIf(({ name }) => name === ''),
  ),
  clumsy(
    'crashes-on-long-text',
    'report',
    sense,
    crashIf(({ message }) => String(message).length > 4_000),
  ),
  clumsy(
    'crashes-on-astral-characters',
    'updateProfile',
    sense,
    crashIf(({ status }) => /[\u{10000}-\u{10ffff}]/u.test(String(status))),
  ),
  clumsy(
    'crashes-on-a-nul-character',
    'report',
    sense,
    crashWhen((text) => text.includes('\\u0000')),
  ),
  clumsy(
    'crashes-on-deep-nesting',
    'cloneType',
    sense,
    crashIf((given) => depthOf(given) > 50),
  ),
  clumsy(
    'crashes-on-extra-fields',
    'unblock',
    sense,
    crashIf((given) => Object.keys(given).length > 1),
  ),
  clumsy(
    'crashes-on-a-list-for-a-record',
    'unlove',
    sense,
    crashIf((_, request) => Array.isArray(request.body)),
  ),
  clumsy('crashes-on-bad-json', 'report', sense, crashOn('invalid_json')),
  clumsy('crashes-on-a-wrong-content-type', 'unlove', sense, crashOn('unsupported_media_type')),
  clumsy('crashes-on-a-wrong-method', 'block', sense, crashOn('method_not_allowed')),
  clumsy('crashes-on-segments-that-are-no-numbers', 'listBlocked', sense, crashOn('invalid_page')),
  clumsy('crashes-on-an-unknown-language', 'reportOptions', sense, crashOn('unknown_language')),
  clumsy('crashes-on-an-unknown-type', 'cloneType', sense, crashOn('unknown_type')),
  clumsy(
    'shows-a-stack-trace',
    'block',
    quiet,
    onRefusal((response) =>
      response.body.toString().includes('invalid_body')
        ? {
            body: JSON.stringify({
              error: 'TypeError: friendId',
              stack: 'TypeError: friendId\n    at block (/srv/app/friends.js:12:7)',
            }),
          }
        : {},
    ),
  ),
  clumsy(
    'shows-a-trace-of-java',
    'evaluate',
    quiet,
    onRefusal((response) =>
      response.body.toString().includes('invalid_body')
        ? {
            body: JSON.stringify({
              trace: 'java.lang.NullPointerException\n\tat org.flags.Evaluate.run(Evaluate.java:42)',
            }),
          }
        : {},
    ),
  ),
  clumsy(
    'refuses-with-a-web-page-called-json',
    'love',
    'part 1: all payloads are JSON over HTTP; a body that says it is JSON must be',
    onRefusal(() => ({
      body: '<html><h1>Bad Request</h1></html>',
    })),
  ),
  clumsy(
    'repeats-the-token-in-errors',
    'saveAvatar',
    quiet,
    onRefusal((_, { headers }) => ({
      body: JSON.stringify({ error: { code: 'invalid_body', headers: { authorization: headers.authorization } } }),
    })),
  ),
  clumsy(
    'repeats-the-token-in-a-header',
    'unblock',
    quiet,
    onRefusal((response, request) => ({
      headers: { ...response.headers, 'x-debug-auth': String(request.headers.authorization) },
    })),
  ),
  clumsy(
    'repeats-the-api-key-in-errors',
    'cloneType',
    quiet,
    onRefusal((_, { headers }) => ({
      body: JSON.stringify({ error: `the key ${headers['mm-api-key']} may not do this` }),
    })),
  ),
  {
    name: 'block-refuses-extra-fields-but-blocks',
    operation: 'block',
    grade: 'assumed',
    breaks: noEffect,
    validate: () => (_, given) => given,
    handle: handle<'block'>((original) => (visit) => {
      const response = original(visit);
      if (Object.keys(visit.args).length > 1) throw new Refusal(400, 'invalid_body', 'unknown field');
      return response;
    }),
  },
  {
    name: 'unblock-refuses-extra-fields-but-unblocks',
    operation: 'unblock',
    grade: 'assumed',
    breaks: noEffect,
    validate: () => (_, given) => given,
    handle: handle<'unblock'>((original) => (visit) => {
      const response = original(visit);
      if (Object.keys(visit.args).length > 1) throw new Refusal(400, 'invalid_body', 'unknown field');
      return response;
    }),
  },
  {
    name: 'updateProfile-refuses-a-wrong-gender-but-writes',
    operation: 'updateProfile',
    grade: 'assumed',
    breaks: noEffect,
    validate: () => (_, given) => given,
    handle: handle<'updateProfile'>((original) => (visit) => {
      const response = original(visit);
      if (!Number.isInteger(visit.args.gender)) throw new Refusal(400, 'invalid_body', 'gender must be an integer');
      return response;
    }),
  },
]);
