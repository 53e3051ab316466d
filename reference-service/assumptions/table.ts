import { operationIds, operations } from '../../src/spec/index.ts';
import { served } from '../handlers/index.ts';
import { bodyAssumptions } from './body.ts';
import type { Assumption } from './types.ts';
import { assumed } from './values.ts';

const ofSet = (...sets: string[]) => operationIds.filter((id) => sets.includes(operations[id].headerSet));

/** Every assumption. `reference-service/README.md` shows this table, and a survey of the service must find the same. */
export const assumptions: readonly Assumption[] = [
  ...operationIds.map((id) => ({
    operations: [id],
    question: 'success-status',
    answer: served[id].statuses.join(', '),
    why: successReason(served[id].statuses),
  })),
  ...bodyAssumptions(),
  ...operationIds.map((id) => ({
    operations: [id],
    question: 'answer-shape',
    answer: served[id].body,
    why: served[id].body === 'no body' ? 'nothing is left to return' : 'the fields that a client needs',
  })),
  {
    operations: ofSet('user'),
    question: 'missing-header:Authorization',
    answer: `refused with ${assumed.missingCredential}`,
    why: 'HTTP: a missing credential is 401',
  },
  {
    operations: ofSet('apiKey', 'flag'),
    question: 'missing-header:mm-api-key',
    answer: `refused with ${assumed.missingCredential}`,
    why: 'HTTP: a missing credential is 401',
  },
  {
    operations: [...operationIds],
    question: 'missing-header:mm-client-id',
    answer: `refused with ${assumed.missingHeader}`,
    why: 'an id is part of the request, not a credential',
  },
  {
    operations: ofSet('user', 'flag'),
    question: 'missing-header:mm-user-id',
    answer: `refused with ${assumed.missingHeader}`,
    why: 'an id is part of the request, not a credential',
  },
  ...['app-bundle', 'app-ver', 'app-platform', 'app-lang', 'app-env'].map((header) => ({
    operations: ofSet('flag'),
    question: `missing-header:${header}`,
    answer: `refused with ${assumed.missingHeader}`,
    why: 'part 5 requires it',
  })),
  {
    operations: ofSet('user'),
    question: 'wrong-header:Authorization',
    answer: `refused with ${assumed.invalidCredential}`,
    why: 'the token was never issued',
  },
  {
    operations: ofSet('apiKey', 'flag'),
    question: 'wrong-header:mm-api-key',
    answer: `refused with ${assumed.invalidCredential}`,
    why: 'the key was never issued',
  },
  {
    operations: [...operationIds],
    question: 'wrong-header:mm-client-id',
    answer: `refused with ${assumed.wrongIdentity}`,
    why: 'the credential belongs to another client',
  },
  {
    operations: ofSet('user', 'flag'),
    question: 'wrong-header:mm-user-id',
    answer: `refused with ${assumed.wrongIdentity}`,
    why: 'the credential belongs to another user, or the user does not exist',
  },
  ...['app-bundle', 'app-platform', 'app-lang', 'app-env'].map((header) => ({
    operations: ofSet('flag'),
    question: `wrong-header:${header}`,
    answer: 'accepted',
    why: 'the specification lists no values',
  })),
  {
    operations: ofSet('flag'),
    question: 'wrong-header:app-ver',
    answer: `refused with ${assumed.missingHeader}`,
    why: 'part 5 defines it as numeric text',
  },
  {
    operations: ofSet('user'),
    question: 'scheme-case',
    answer: 'any case',
    why: 'HTTP scheme names are case-insensitive',
  },
  {
    operations: ofSet('user'),
    question: 'token-user',
    answer: 'tied',
    why: 'otherwise any user could act as any other',
  },
  {
    operations: [...operationIds],
    question: 'method-not-allowed',
    answer: `refused with ${assumed.methodNotAllowed}`,
    why: 'HTTP: 405, with an Allow header',
  },
  {
    operations: [...operationIds],
    question: 'error-shape',
    answer: 'application/json {error: {code, message, requestId}}',
    why: 'one stable body, with the request id for the logs',
  },
  {
    operations: ['block', 'unblock', 'love', 'unlove'],
    question: 'repeat',
    answer: 'accepted',
    why: 'the state is as requested already',
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
    answer: `refused with ${assumed.versionExists}`,
    why: 'a version label is unique',
  },
  {
    operations: ['deleteItem'],
    question: 'repeat',
    answer: `refused with ${assumed.notFound}`,
    why: 'the item no longer exists',
  },
  {
    operations: ['listBlocked', 'listBlockers'],
    question: 'paging',
    answer: `offset/limit, first index 0, cap ${assumed.pageCap}, newest first`,
    why: 'the common meaning of 0/100',
  },
  {
    operations: ['listBlocked', 'listBlockers'],
    question: 'block-visible',
    answer: 'at once',
    why: 'all requests use one database',
  },
  {
    operations: ['reportOptions'],
    question: 'report-codes',
    answer: assumed.reportCodes.join(', '),
    why: 'the only documented code, and two more to choose from',
  },
  {
    operations: ['reportOptions'],
    question: 'languages',
    answer: `${assumed.languages.join(', ')} of 16 tried`,
    why: 'several, so that languages can differ',
  },
  {
    operations: ['reportOptions'],
    question: 'unknown-language',
    answer: `refused with ${assumed.notFound}`,
    why: 'no resource exists at that path',
  },
  {
    operations: ['report'],
    question: 'unknown-code',
    answer: `refused with ${assumed.invalidBody}`,
    why: 'part 4, rule 2: the values come from the report options',
  },
  {
    operations: ['love', 'unlove', 'report'],
    question: 'unknown-story',
    answer: `refused with ${assumed.notFound}`,
    why: 'the story does not exist',
  },
  {
    operations: ['deleteItem'],
    question: 'unknown-item',
    answer: `refused with ${assumed.notFound}`,
    why: 'there is nothing to delete',
  },
  {
    operations: ['block', 'unblock'],
    question: 'unknown-user',
    answer: 'accepted',
    why: 'the friends area stores ids and does not check that users exist',
  },
  { operations: ['evaluate'], question: 'default-fallback', answer: 'the default, unchanged', why: 'part 4, rule 5' },
  {
    operations: ['updateProfile', 'getFriendProfile'],
    question: 'includes-effect',
    answer: 'only the fields named are applied; avartarUrl names url',
    why: 'otherwise the list of field names would have no purpose',
  },
  {
    operations: ['getFriendProfile'],
    question: 'own-request',
    answer: 'GET /v1/profile/{userId}',
    why: 'the conventional way to read a resource',
  },
];

function successReason(statuses: readonly number[]): string {
  if (statuses.includes(204)) return 'nothing is left to return';
  if (statuses.length > 1) return 'created if there was none, otherwise updated';
  return statuses.includes(201) ? 'the request creates a resource' : 'the common success status';
}
