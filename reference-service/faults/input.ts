import type { CallArguments } from '../../src/service/index.ts';
import type { ServiceRequest } from '../json-server.ts';
import { Refusal } from '../refusal.ts';
import type { Fault } from './fault-switch.ts';
import { ofKind } from './kind.ts';
import { crashed, crashOn, crashWhen, type MakeHandler, onRefusal } from './tamper.ts';

type Tamper = NonNullable<Fault['respond']>;
type Body = Record<string, unknown>;

const sense = 'common sense: an invalid request is the caller’s mistake, a 4xx';
const quiet = 'common sense: an error discloses neither internals of the service nor a credential';
const noEffect = 'common sense: a rejected request has no effect';

const crashIf =
  (applies: (body: Body, request: ServiceRequest) => boolean): Tamper =>
  () =>
  (response, request) =>
    request.body !== undefined && applies((request.body ?? {}) as Body, request)
      ? { ...response, ...crashed }
      : response;

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

/** Replaces the error for an invalid body by `shown`, which discloses too much. */
const onInvalidBody = (shown: object) =>
  onRefusal((response) => (response.body.toString().includes('invalid_body') ? { body: JSON.stringify(shown) } : {}));

/** Accepts any body and stores it, and only then rejects the request if the body is wrong. */
function tooLate<A>(isWrong: (args: A) => boolean): Pick<Fault, 'validate'> & { readonly handle: MakeHandler<A> } {
  return {
    validate: () => (_, given) => given,
    handle: (original) => (visit) => {
      const response = original(visit);
      if (isWrong(visit.args)) throw new Refusal(400);
      return response;
    },
  };
}
const hasMore = (args: object) => Object.keys(args).length > 1;

export const inputFaults = [
  ...ofKind('input', sense, {
    'block-crashes-on-a-missing-field': { respond: crashIf((given) => !('friendId' in given)) },
    'love-crashes-on-a-wrong-type': {
      respond: crashIf(({ storyId }) => typeof storyId === 'number' || typeof storyId === 'object'),
    },
    'saveAvatar-crashes-on-null': { respond: crashIf(({ items }) => items === null) },
    'saveAvatar-crashes-on-null-deep-inside': {
      respond: crashIf(({ items }) => Array.isArray(items) && items.some((item) => item?.itemId === null)),
    },
    'evaluate-crashes-on-an-empty-text': { respond: crashIf(({ key }) => key === '') },
    'updateProfile-crashes-on-an-empty-name': { respond: crashIf(({ name }) => name === '') },
    'report-crashes-on-long-text': { respond: crashIf(({ message }) => String(message).length > 4_000) },
    'updateProfile-crashes-on-astral-characters': {
      respond: crashIf(({ status }) => /[\u{10000}-\u{10ffff}]/u.test(String(status))),
    },
    'report-crashes-on-a-nul-character': { respond: crashWhen((text) => text.includes('\\u0000')) },
    'cloneType-crashes-on-deep-nesting': { respond: crashIf((given) => depthOf(given) > 50) },
    'unblock-crashes-on-extra-fields': { respond: crashIf(hasMore) },
    'unlove-crashes-on-a-list-for-a-record': { respond: crashIf((_, request) => Array.isArray(request.body)) },
    'report-crashes-on-bad-json': { respond: crashOn('invalid_json') },
    'unlove-crashes-on-a-wrong-content-type': { respond: crashOn('unsupported_media_type') },
    'block-crashes-on-a-wrong-method': { respond: crashOn('method_not_allowed') },
    'listBlocked-crashes-on-segments-that-are-no-numbers': { respond: crashOn('invalid_page') },
    'reportOptions-crashes-on-an-unknown-language': { respond: crashOn('unknown_language') },
    'readProfile-crashes-on-an-unknown-user': { respond: crashOn('unknown_user') },
    'cloneType-crashes-on-an-unknown-type': { respond: crashOn('unknown_type') },
  }),
  ...ofKind('input', quiet, {
    'block-shows-a-stack-trace': {
      respond: onInvalidBody({
        error: 'TypeError: friendId',
        stack: 'TypeError: friendId\n    at block (/srv/app/friends.js:12:7)',
      }),
    },
    'evaluate-shows-a-trace-of-java': {
      respond: onInvalidBody({
        trace: 'java.lang.NullPointerException\n\tat org.flags.Evaluate.run(Evaluate.java:42)',
      }),
    },
    'love-refuses-with-a-web-page-called-json': {
      grade: 'assumed',
      breaks: 'part 1: all payloads are JSON over HTTP; a body that says it is JSON must be',
      respond: onRefusal(() => ({ body: '<html><h1>Bad Request</h1></html>' })),
    },
    'saveAvatar-repeats-the-token-in-errors': {
      respond: onRefusal((_, { headers }) => ({
        body: JSON.stringify({ error: { code: 'invalid_body', headers: { authorization: headers.authorization } } }),
      })),
    },
    'unblock-repeats-the-token-in-a-header': {
      respond: onRefusal((response, request) => ({
        headers: { ...response.headers, 'x-debug-auth': String(request.headers.authorization) },
      })),
    },
    'cloneType-repeats-the-api-key-in-errors': {
      respond: onRefusal((_, { headers }) => ({
        body: JSON.stringify({ error: `the key ${headers['mm-api-key']} may not do this` }),
      })),
    },
  }),
  ...ofKind('input', noEffect, {
    'block-refuses-extra-fields-but-blocks': tooLate<CallArguments<'block'>>(hasMore),
    'unblock-refuses-extra-fields-but-unblocks': tooLate<CallArguments<'block'>>(hasMore),
    'updateProfile-refuses-a-wrong-gender-but-writes': tooLate<CallArguments<'updateProfile'>>(
      ({ gender }) => !Number.isInteger(gender),
    ),
  }),
];
