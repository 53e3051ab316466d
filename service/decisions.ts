import { type OperationId, operationIds, operations } from '../catalogue/index.ts';
import { requestSchemas } from '../schemas/index.ts';

/** Something the document leaves open, how this service decided it, and why. */
export interface Decision {
  readonly operations: readonly OperationId[];
  /** In the survey's words: `success-status`, `required-field:<f>`, `missing-header:<h>` … */
  readonly question: string;
  readonly answer: string;
  readonly why: string;
}

/** The numbers and sets behind the decisions; the handlers use these very values. */
export const decided = {
  pageCap: 100,
  maxBodyBytes: 1_048_576,
  successStatus: {
    block: [200],
    unblock: [200],
    listBlocked: [200],
    listBlockers: [200],
    love: [200],
    unlove: [200],
    reportOptions: [200],
    report: [201],
    cloneType: [201],
    saveAvatar: [201, 200],
    updateProfile: [200],
    getFriendProfile: [200],
    evaluate: [200],
    deleteItem: [204],
  },
  reportCodes: ['SEXUALLY_INAPPROPRIATE', 'HATE_OR_HARASSMENT', 'SPAM'],
  languages: ['de', 'en', 'fr'],
  missingCredential: 401,
  missingHeader: 400,
  invalidCredential: 401,
  wrongIdentity: 403,
  invalidBody: 400,
  unsupportedMediaType: 415,
  bodyTooLarge: 413,
  pathTooLong: 414,
  methodNotAllowed: 405,
  notFound: 404,
  versionExists: 409,
} as const satisfies { readonly successStatus: Readonly<Record<OperationId, readonly number[]>> } & Record<
  string,
  unknown
>;

const withBody = operationIds.filter((id) => 'request' in operations[id]);
const ofSet = (...sets: string[]) => operationIds.filter((id) => sets.includes(operations[id].headerSet));

/** Every decision. `service/README.md` is made of this table, and a survey of the service must find the same. */
export const decisions: readonly Decision[] = [
  ...operationIds.map((id) => ({
    operations: [id],
    question: 'success-status',
    answer: decided.successStatus[id].join(', '),
    why: successReason(decided.successStatus[id]),
  })),
  ...requiredFields(),
  {
    operations: withBody,
    question: 'wrong-type',
    answer: `refused with ${decided.invalidBody}`,
    why: 'the document gives every field one type',
  },
  {
    operations: withBody,
    question: 'unknown-field',
    answer: `refused with ${decided.invalidBody}`,
    why: 'field names are "exactly as written", so a further one is a mistake',
  },
  {
    operations: withBody,
    question: 'malformed-json',
    answer: `refused with ${decided.invalidBody}`,
    why: 'HTTP: a bad request',
  },
  {
    operations: withBody,
    question: 'missing-content-type',
    answer: `refused with ${decided.unsupportedMediaType}`,
    why: 'part 4 wants Content-Type: application/json',
  },
  {
    operations: withBody,
    question: 'text-limit',
    answer: `none but the body's: ${decided.bodyTooLarge} above ${decided.maxBodyBytes} bytes`,
    why: 'limits are not shown; the body must end somewhere',
  },
  {
    operations: ofSet('user'),
    question: 'missing-header:Authorization',
    answer: `refused with ${decided.missingCredential}`,
    why: 'HTTP: a missing credential is 401',
  },
  {
    operations: ofSet('apiKey', 'flag'),
    question: 'missing-header:mm-api-key',
    answer: `refused with ${decided.missingCredential}`,
    why: 'HTTP: a missing credential is 401',
  },
  {
    operations: [...operationIds],
    question: 'missing-header:mm-client-id',
    answer: `refused with ${decided.missingHeader}`,
    why: 'an id is part of the request, not a credential',
  },
  {
    operations: ofSet('user', 'flag'),
    question: 'missing-header:mm-user-id',
    answer: `refused with ${decided.missingHeader}`,
    why: 'an id is part of the request, not a credential',
  },
  ...['app-bundle', 'app-ver', 'app-platform', 'app-lang', 'app-env'].map((header) => ({
    operations: ofSet('flag'),
    question: `missing-header:${header}`,
    answer: `refused with ${decided.missingHeader}`,
    why: 'part 5 requires it',
  })),
  {
    operations: ofSet('user'),
    question: 'wrong-header:Authorization',
    answer: `refused with ${decided.invalidCredential}`,
    why: 'a token nobody was given',
  },
  {
    operations: ofSet('apiKey', 'flag'),
    question: 'wrong-header:mm-api-key',
    answer: `refused with ${decided.invalidCredential}`,
    why: 'a key nobody was given',
  },
  {
    operations: [...operationIds],
    question: 'wrong-header:mm-client-id',
    answer: `refused with ${decided.wrongIdentity}`,
    why: 'the credential is for another client',
  },
  {
    operations: ofSet('user', 'flag'),
    question: 'wrong-header:mm-user-id',
    answer: `refused with ${decided.wrongIdentity}`,
    why: 'the credential is for another user, or there is no such user',
  },
  {
    operations: ofSet('user'),
    question: 'scheme-case',
    answer: 'any case',
    why: 'HTTP compares scheme words without regard to case',
  },
  { operations: ofSet('user'), question: 'token-user', answer: 'tied', why: 'else anybody could act as anybody' },
  {
    operations: [...operationIds],
    question: 'method-not-allowed',
    answer: `${decided.methodNotAllowed}`,
    why: 'HTTP, with the methods that are allowed',
  },
  {
    operations: [...operationIds],
    question: 'error-shape',
    answer: 'application/json {error: {code, message, requestId}}',
    why: 'one stable body, with the request id that logs hold',
  },
  {
    operations: ['block', 'unblock', 'love', 'unlove'],
    question: 'repeat',
    answer: 'accepted',
    why: 'it is so already, so nothing is wrong',
  },
  {
    operations: ['saveAvatar'],
    question: 'repeat',
    answer: 'accepted',
    why: 'part 4, rule 1: the second save is an update',
  },
  {
    operations: ['cloneType'],
    question: 'repeat',
    answer: `refused with ${decided.versionExists}`,
    why: 'a version label names one version',
  },
  { operations: ['deleteItem'], question: 'repeat', answer: `refused with ${decided.notFound}`, why: 'it is gone' },
  {
    operations: ['listBlocked', 'listBlockers'],
    question: 'paging',
    answer: `offset/limit, first index 0, cap ${decided.pageCap}, newest first`,
    why: 'the usual reading of 0/100',
  },
  { operations: ['listBlocked', 'listBlockers'], question: 'block-visible', answer: 'at once', why: 'one database' },
  {
    operations: ['reportOptions'],
    question: 'report-codes',
    answer: decided.reportCodes.join(', '),
    why: 'the one code that the document shows, and two that make a choice',
  },
  {
    operations: ['reportOptions'],
    question: 'languages',
    answer: decided.languages.join(', '),
    why: 'more than one, so that a language can be told from another',
  },
  {
    operations: ['reportOptions'],
    question: 'unknown-language',
    answer: `refused with ${decided.notFound}`,
    why: 'a path that leads to nothing',
  },
  {
    operations: ['report'],
    question: 'unknown-code',
    answer: `refused with ${decided.invalidBody}`,
    why: 'part 4, rule 2: the values come from the options',
  },
  {
    operations: ['love', 'unlove', 'report'],
    question: 'unknown-story',
    answer: `refused with ${decided.notFound}`,
    why: 'nobody can love what is not there',
  },
  {
    operations: ['block', 'unblock'],
    question: 'unknown-user',
    answer: 'accepted',
    why: 'the friends area keeps ids and does not know who exists',
  },
  { operations: ['evaluate'], question: 'default-fallback', answer: 'the default, unchanged', why: 'part 4, rule 5' },
  {
    operations: ['updateProfile', 'getFriendProfile'],
    question: 'includes-effect',
    answer: 'only the fields named are applied; avartarUrl names url',
    why: 'a list of field names must be good for something',
  },
  {
    operations: ['getFriendProfile'],
    question: 'own-request',
    answer: 'GET /v1/profile/{userId}',
    why: 'the plain way to read a resource',
  },
];

function requiredFields(): Decision[] {
  return withBody.flatMap((id) => {
    const { request } = operations[id] as { request: keyof typeof requestSchemas };
    const { properties, required } = requestSchemas[request];
    return Object.keys(properties).map((field) => {
      const isRequired = (required as readonly string[]).includes(field);
      return {
        operations: [id],
        question: `required-field:${field}`,
        answer: isRequired ? `required, else ${decided.invalidBody}` : 'optional',
        why: isRequired
          ? 'a record without it would mean nothing, or something else'
          : 'an update may name any part of the record',
      };
    });
  });
}

function successReason(statuses: readonly number[]): string {
  if (statuses.includes(204)) return 'there is nothing left to show';
  if (statuses.length > 1) return 'created where there was none, else updated';
  return statuses.includes(201) ? 'something was created' : 'the plain success';
}
