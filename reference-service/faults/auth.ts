import type { ServiceRequest } from '../json-server.ts';
import { Refusal } from '../refusal.ts';
import { ofKind } from './kind.ts';
import { onRefusal } from './tamper.ts';

const isKnownUser = (request: ServiceRequest) => /^user-/.test(String(request.headers['mm-user-id'] ?? ''));

/** Accepts any valid token if the user id exists. */
const actsForAnybody =
  () =>
  (request: ServiceRequest): undefined => {
    if (!isKnownUser(request)) throw new Refusal(403, 'wrong_user', 'the token is for another user');
  };

const noAuthorization = (request: ServiceRequest) => !request.headers.authorization;

export const authFaults = ofKind('auth', [
  {
    name: 'block-acts-for-the-user-that-is-named',
    operation: 'block',
    grade: 'assumed',
    breaks: 'common sense: a token acts only for its own user (part 5: mm-user-id is the acting user)',
    unchecked: ['mm-user-id'],
    arrive: actsForAnybody,
  },
  {
    name: 'updateProfile-acts-for-the-user-that-is-named',
    operation: 'updateProfile',
    grade: 'assumed',
    breaks: 'common sense: a token acts only for its own user (part 5: mm-user-id is the acting user)',
    unchecked: ['mm-user-id'],
    arrive: actsForAnybody,
  },
  {
    name: 'block-refused-without-token-but-done',
    operation: 'block',
    grade: 'assumed',
    breaks: 'common sense: a rejected request has no effect',
    unchecked: ['authorization'],
    respond: () => (response, request) =>
      noAuthorization(request) ? { ...response, status: 401, body: '{"error":{"code":"missing_header"}}' } : response,
  },
  {
    name: 'love-without-token-crashes',
    operation: 'love',
    grade: 'assumed',
    breaks: 'common sense: a rejection is a 4xx',
    respond: onRefusal((_, request) => (noAuthorization(request) ? { status: 500 } : {})),
  },
  {
    name: 'report-without-token-answers-200',
    operation: 'report',
    grade: 'documented',
    breaks: 'part 5: row 8 requires Authorization, so a call without it must not succeed',
    respond: onRefusal((_, request) => (noAuthorization(request) ? { status: 200 } : {})),
  },
  {
    name: 'saveAvatar-without-token-redirects-to-a-login',
    operation: 'saveAvatar',
    grade: 'assumed',
    breaks: 'common sense: an API rejects with a 4xx, not with a login page',
    respond: onRefusal((response, request) =>
      noAuthorization(request)
        ? { status: 302, headers: { ...response.headers, location: 'https://login.example/' }, body: '' }
        : {},
    ),
  },
  {
    name: 'unblock-wants-another-scheme-word',
    operation: 'unblock',
    grade: 'documented',
    breaks: 'part 5: Authorization is the scheme word "bearer", a space, then a token',
    arrive: () => (request) => {
      if (/^bearer /.test(request.headers.authorization ?? ''))
        throw new Refusal(401, 'invalid_token', 'the scheme must be Bearer');
    },
  },
  {
    name: 'evaluate-api-key-of-one-client-serves-all',
    operation: 'evaluate',
    grade: 'assumed',
    breaks: 'common sense: an API key is for its own client (part 5: mm-api-key is the API key of the client)',
    unchecked: ['mm-client-id', 'mm-api-key'],
    arrive:
      () =>
      ({ headers }) => {
        if (!headers['mm-client-id'] || !String(headers['mm-api-key'] ?? '').startsWith('key_'))
          throw new Refusal(401, 'invalid_api_key', 'the API key is not valid');
      },
  },
  {
    name: 'listBlocked-wants-an-api-key-too',
    operation: 'listBlocked',
    grade: 'documented',
    breaks: 'part 5: row 2 requires only a token, a client id and a user id',
    arrive:
      () =>
      ({ headers }) => {
        if (!headers['mm-api-key']) throw new Refusal(401, 'missing_header', 'mm-api-key is missing');
      },
  },
  {
    name: 'cloneType-wants-a-token-too',
    operation: 'cloneType',
    grade: 'documented',
    breaks: 'part 5: row 9 requires only a client id and an API key',
    arrive:
      () =>
      ({ headers }) => {
        if (!headers.authorization) throw new Refusal(401, 'missing_header', 'Authorization is missing');
      },
  },
]);
