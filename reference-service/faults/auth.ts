import { headerSets, headers, operation, operationIds } from '../../src/service/index.ts';
import type { ServiceRequest } from '../json-server.ts';
import { ofKind } from './kind.ts';
import { onRefusal, turningAway } from './tamper.ts';

/** The headers that each operation requires. Operation 12 is left out: it shares the request of operation 11, and so its faults. */
const required = operationIds
  .filter((id) => id !== 'getFriendProfile')
  .map(operation)
  .flatMap(({ id, row, headerSet }) => headerSets[headerSet].map((name) => ({ id, row, name })));

/** One fault for each header of each operation: the service doesn't check the header (specification, part 5: "headers required"). */
const unchecked = required.map(({ id, row, name }) => [
  `${id}-${name}-unchecked`,
  { breaks: `part 5: row ${row} requires ${headers[name].name}`, unchecked: [name] },
]);

const anyValue = required
  .filter(({ name }) => headers[name].kind === 'credential')
  .map(({ id, row, name }) => [
    `${id}-${name}-of-any-value`,
    {
      breaks: `common sense: a credential is compared, not just required (row ${row})`,
      unchecked: [name],
      arrive: turningAway(
        (request) => !request.headers[name],
        401,
        'missing_header',
        `the header ${name} is missing or empty`,
      ),
    },
  ]);

const headerFaults = ofKind('auth', 'part 5: the headers required', Object.fromEntries([...unchecked, ...anyValue]));

const isKnownUser = (request: ServiceRequest) => /^user-/.test(String(request.headers['mm-user-id'] ?? ''));

/** With this fault, any valid token may act for any existing user. */
const actsForAnybody = {
  breaks: 'common sense: a token acts only for its own user (part 5: mm-user-id is the acting user)',
  unchecked: ['mm-user-id'],
  arrive: turningAway((request) => !isKnownUser(request), 403, 'wrong_user', 'the token is for another user'),
} as const;

const noAuthorization = (request: ServiceRequest) => !request.headers.authorization;

export const authFaults = [
  ...headerFaults,
  ...ofKind('auth', 'common sense: a rejection is a 4xx', {
    'block-acts-for-the-user-that-is-named': actsForAnybody,
    'updateProfile-acts-for-the-user-that-is-named': actsForAnybody,
    'block-refused-without-token-but-done': {
      breaks: 'common sense: a rejected request has no effect',
      unchecked: ['authorization'],
      respond: () => (response, request) =>
        noAuthorization(request) ? { ...response, status: 401, body: '{"error":{"code":"missing_header"}}' } : response,
    },
    'love-without-token-crashes': {
      respond: onRefusal((_, request) => (noAuthorization(request) ? { status: 500 } : {})),
    },
    'report-without-token-answers-200': {
      breaks: 'part 5: row 8 requires Authorization, so a call without it must not succeed',
      respond: onRefusal((_, request) => (noAuthorization(request) ? { status: 200 } : {})),
    },
    'saveAvatar-without-token-redirects-to-a-login': {
      breaks: 'common sense: an API rejects with a 4xx, not with a login page',
      respond: onRefusal((response, request) =>
        noAuthorization(request)
          ? { status: 302, headers: { ...response.headers, location: 'https://login.example/' }, body: '' }
          : {},
      ),
    },
    'unblock-wants-another-scheme-word': {
      breaks: 'part 5: Authorization is the scheme word "bearer", a space, then a token',
      arrive: turningAway(({ headers }) => /^bearer /.test(headers.authorization ?? ''), 401),
    },
    'evaluate-api-key-of-one-client-serves-all': {
      breaksFact: 'evaluate wrong-header:mm-client-id: refused with 401',
      breaks: 'common sense: an API key is for its own client (part 5: mm-api-key is the API key of the client)',
      unchecked: ['mm-client-id', 'mm-api-key'],
      arrive: turningAway(
        ({ headers }) => !headers['mm-client-id'] || !String(headers['mm-api-key'] ?? '').startsWith('key_'),
        401,
        'invalid_api_key',
        'the API key is not valid',
      ),
    },
    'listBlocked-wants-an-api-key-too': {
      breaks: 'part 5: row 2 requires only a token, a client id and a user id',
      arrive: turningAway(({ headers }) => !headers['mm-api-key'], 401),
    },
    'cloneType-wants-a-token-too': {
      breaks: 'part 5: row 9 requires only a client id and an API key',
      arrive: turningAway(noAuthorization, 401),
    },
  }),
];
