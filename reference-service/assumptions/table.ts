import { operationIds, operations } from '../../src/spec/index.ts';
import { served } from '../handlers/index.ts';
import { bodyAssumptions } from './body.ts';
import type { Assumption } from './types.ts';
import { assumed } from './values.ts';

const ofSet = (...sets: string[]) => operationIds.filter((id) => sets.includes(operations[id].headerSet));

/** Every decision. `reference-service/README.md` is made of this table, and a survey of the service must find the same. */
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
    why: served[id].body === 'no body' ? 'there is nothing left to show' : 'what a client needs to go on',
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
    why: 'a token nobody was given',
  },
  {
    operations: ofSet('apiKey', 'flag'),
    question: 'wrong-header:mm-api-key',
    answer: `refused with ${assumed.invalidCredential}`,
    why: 'a key nobody was given',
  },
  {
    operations: [...operationIds],
    question: 'wrong-header:mm-client-id',
    answer: `refused with ${assumed.wrongIdentity}`,
    why: 'the credential is for another client',
  },
  {
    operations: ofSet('user', 'flag'),
    question: 'wrong-header:mm-user-id',
    answer: `refused with ${assumed.wrongIdentity}`,
    why: 'the credential is for another user, or there is no such user',
  },
  ...['app-bundle', 'app-platform', 'app-lang', 'app-env'].map((header) => ({
    operations: ofSet('flag'),
    question: `wrong-header:${header}`,
    answer: 'accepted',
    why: 'no list of its values is shown',
  })),
  {
    operations: ofSet('flag'),
    question: 'wrong-header:app-ver',
    answer: `refused with ${assumed.missingHeader}`,
    why: 'part 5 calls it numeric text',
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
    answer: `refused with ${assumed.methodNotAllowed}`,
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
    answer: `refused with ${assumed.versionExists}`,
    why: 'a version label names one version',
  },
  { operations: ['deleteItem'], question: 'repeat', answer: `refused with ${assumed.notFound}`, why: 'it is gone' },
  {
    operations: ['listBlocked', 'listBlockers'],
    question: 'paging',
    answer: `offset/limit, first index 0, cap ${assumed.pageCap}, newest first`,
    why: 'the usual reading of 0/100',
  },
  { operations: ['listBlocked', 'listBlockers'], question: 'block-visible', answer: 'at once', why: 'one database' },
  {
    operations: ['reportOptions'],
    question: 'report-codes',
    answer: assumed.reportCodes.join(', '),
    why: 'the one code that the document shows, and two that make a choice',
  },
  {
    operations: ['reportOptions'],
    question: 'languages',
    answer: `${assumed.languages.join(', ')} of 16 tried`,
    why: 'more than one, so that a language can be told from another',
  },
  {
    operations: ['reportOptions'],
    question: 'unknown-language',
    answer: `refused with ${assumed.notFound}`,
    why: 'a path that leads to nothing',
  },
  {
    operations: ['report'],
    question: 'unknown-code',
    answer: `refused with ${assumed.invalidBody}`,
    why: 'part 4, rule 2: the values come from the options',
  },
  {
    operations: ['love', 'unlove', 'report'],
    question: 'unknown-story',
    answer: `refused with ${assumed.notFound}`,
    why: 'nobody can love what is not there',
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

function successReason(statuses: readonly number[]): string {
  if (statuses.includes(204)) return 'there is nothing left to show';
  if (statuses.length > 1) return 'created where there was none, else updated';
  return statuses.includes(201) ? 'something was created' : 'the plain success';
}
