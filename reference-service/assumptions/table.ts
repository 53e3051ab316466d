import { requestSchemas } from '../../schemas/index.ts';
import {
  type HeaderName,
  headerSets,
  headers,
  type OperationId,
  operationIds,
  operations,
} from '../../src/service/index.ts';
import { served } from '../handlers/index.ts';
import { assumed } from './values.ts';

export interface Assumption {
  readonly operations: readonly OperationId[];
  /** The question's name in a facts file: `success-status`, `required-field:<f>`, `missing-header:<h>` … */
  readonly question: string;
  readonly answer: string;
  readonly why: string;
}

export function about(
  operations: Assumption['operations'],
  answers: Readonly<Record<string, readonly [answer: string, why: string]>>,
): Assumption[] {
  return Object.entries(answers).map(([question, [answer, why]]) => ({ operations, question, answer, why }));
}

export const refused = (status: number) => `refused with ${status}`;

const withBody = operationIds.filter((id) => 'request' in operations[id]);

/** The codes that a survey tries for fields whose allowed codes the specification doesn't list. */
const codes = '-1, 0, 1, 2, 3, 9, 100';

/** Assumptions about the bodies of requests, field by field. */
export function bodyAssumptions(): readonly Assumption[] {
  return [
    ...perField('required-field', (field, { required }) =>
      required.includes(field)
        ? [`required, else ${assumed.invalidBody}`, 'the record would be incomplete without it']
        : ['optional', 'an update may contain any subset of the fields'],
    ),
    ...perField('wrong-type', () => [refused(assumed.invalidBody), 'the specification gives each field one type']),
    ...about(withBody, {
      'unknown-field': [
        refused(assumed.invalidBody),
        'field names are "exactly as written", so any other is a mistake',
      ],
      'malformed-json': [refused(assumed.invalidBody), 'HTTP: bad request'],
      'missing-content-type': [refused(assumed.unsupportedMediaType), 'part 4 requires Content-Type: application/json'],
    }),
    ...about(['saveAvatar'], {
      'allowed-values:items.type': [`all that were tried: ${codes}`, 'the specification gives no list'],
    }),
    ...(['updateProfile', 'getFriendProfile'] as const).flatMap((id) =>
      about([id], {
        'allowed-values:gender': [`all that were tried: ${codes}`, 'the specification gives no list'],
        'allowed-values:status': [
          'all that were tried: "", "online", "away", "sextant-invented"',
          'the specification defines it as text',
        ],
      }),
    ),
  ];
}

interface Fields {
  readonly properties: Readonly<{ [field: string]: object }>;
  readonly required: readonly string[];
}

/** Calls `assume` for each documented field of each body. `assume` returns `undefined` if there is no assumption about the field. */
function perField(
  question: string,
  assume: (field: string, record: Fields) => readonly [answer: string, why: string] | undefined,
): readonly Assumption[] {
  return withBody.flatMap((id) => {
    const { request } = operations[id] as { request: keyof typeof requestSchemas };
    const record: Fields = requestSchemas[request];
    return Object.keys(record.properties).flatMap((field) => {
      const assumption = assume(field, record);
      return assumption ? about([id], { [`${question}:${field}`]: assumption }) : [];
    });
  });
}

const ofUsers = operationIds.filter((id) => operations[id].headerSet === 'user');

type Answer = readonly [answer: string, why: string];

/** `missing`: how the service refuses a missing header, for each kind of header. `wrong`: how it refuses a wrong value, for each header. */
const missing: Readonly<Record<(typeof headers)[HeaderName]['kind'], Answer>> = {
  credential: [refused(assumed.missingCredential), 'HTTP: a missing credential is 401'],
  id: [refused(assumed.missingHeader), 'an id is part of the request, not a credential'],
  context: [refused(assumed.missingHeader), 'part 5 requires it'],
};
const wrong: Partial<Record<HeaderName, Answer>> = {
  authorization: [refused(assumed.invalidCredential), 'the token was never issued'],
  'mm-api-key': [refused(assumed.invalidCredential), 'the key was never issued'],
  'mm-client-id': [refused(assumed.wrongIdentity), 'the credential belongs to another client'],
  'mm-user-id': [refused(assumed.wrongIdentity), 'the credential belongs to another user, or the user does not exist'],
  'app-ver': [refused(assumed.missingHeader), 'part 5 defines it as numeric text'],
};

/**
 * All assumptions of this service. `reference-service/README.md` shows this table, and a survey of the service must find the same answers.
 */
export const assumptions: readonly Assumption[] = [
  ...operationIds.flatMap((id) =>
    about([id], { 'success-status': [served[id].statuses.join(', '), successReason(served[id].statuses)] }),
  ),
  ...bodyAssumptions(),
  ...operationIds.flatMap((id) => {
    const { body } = served[id];
    const why = body === 'no body' ? 'nothing is left to return' : 'the fields that a client needs';
    return about([id], { 'answer-shape': [body, why] });
  }),
  ...(Object.keys(headers) as HeaderName[]).flatMap((id) => {
    const { name, kind } = headers[id];
    const wanting = operationIds.filter((each) => headerSets[operations[each].headerSet].includes(id as never));
    return about(wanting, {
      [`missing-header:${name}`]: missing[kind],
      ...(kind === 'credential' ? {} : { [`empty-header:${name}`]: missing[kind] }),
      [`wrong-header:${name}`]: wrong[id] ?? ['accepted', 'the specification lists no values'],
    });
  }),
  ...about(ofUsers, {
    'token-user': ['tied', 'otherwise any user could act as any other'],
  }),
  ...about(operationIds, {
    'error-shape': [
      'application/json {error: {code, message, requestId}}',
      'one stable body, with the request id for the logs',
    ],
  }),
  ...about(['block', 'unblock', 'love', 'unlove'], { repeat: ['accepted', 'the state is as requested already'] }),
  ...about(['report'], { repeat: ['accepted', 'nothing says that a story can be reported only once'] }),
  ...about(['saveAvatar'], { repeat: ['accepted', 'part 4, rule 1: the second save is an update'] }),
  ...about(['cloneType'], { repeat: [refused(assumed.versionExists), 'a version label is unique'] }),
  ...about(['deleteItem'], { repeat: [refused(assumed.notFound), 'the item no longer exists'] }),
  ...about(['listBlocked', 'listBlockers'], {
    paging: ['offset/limit, first index 0, newest first', 'the common meaning of 0/100'],
  }),
  ...about(['reportOptions'], {
    'report-codes': [assumed.reportCodes.join(', '), 'the only documented code, and two more to choose from'],
    languages: [`${assumed.languages.join(', ')} of 16 tried`, 'several, so that languages can differ'],
    'unknown-language': [refused(assumed.notFound), 'no resource exists at that path'],
  }),
  ...about(['report'], {
    'unknown-code': [refused(assumed.invalidBody), 'part 4, rule 2: the values come from the report options'],
  }),
  ...about(['love', 'unlove', 'report'], { 'unknown-story': [refused(assumed.notFound), 'the story does not exist'] }),
  ...about(['cloneType'], { 'type-version': ['copy', 'a version label is unique'] }),
  ...about(['saveAvatar'], { 'avatar-form': ['marked', 'the specification gives no limits'] }),
  ...about(['updateProfile', 'getFriendProfile'], { 'profile-form': ['text', 'the specification gives no limits'] }),
  ...about(['report'], { 'codes-at-once': ['all', '`reports` is a list'] }),
  ...about(['reportOptions'], { 'options-by-language': ['own', 'part 4, rule 2'] }),
  ...about(['love'], {
    'love-shown': ["the friend's next response to love shows it at /loves", 'nothing else tells who loves a story'],
  }),
  ...about(['listBlocked', 'listBlockers'], { 'empty-list': ['a success', 'an empty list is a list'] }),
  ...about(['saveAvatar'], {
    'avatar-shown': ['shown', 'a profile has an avatar'],
    'avatar-items': ['shown', 'the avatar is shown as it was sent'],
  }),
  ...about(['updateProfile'], {
    'profile-names': ['the documented ones', 'a field has one name'],
    'partial-update': ['the others are left', 'what is not sent is not meant'],
    'spaces-around': ['kept', 'a name is text'],
  }),
  ...about(['deleteItem'], { 'foreign-item': ['refused with 404', 'an item is its owner’s'] }),
  ...about(['evaluate'], { 'known-flag': ['a value of its own', 'part 4, rule 5: the default is a fallback'] }),
  ...about(['deleteItem'], { 'unknown-item': [refused(assumed.notFound), 'there is nothing to delete'] }),
  ...about(['block', 'unblock'], {
    'unknown-user': ['accepted', 'the friends area stores ids and does not check that users exist'],
  }),
  ...about(['evaluate'], { 'default-fallback': ['the default, unchanged', 'part 4, rule 5'] }),
  ...about(['updateProfile', 'getFriendProfile'], {
    'includes-effect': [
      'only the fields named are applied; avartarUrl names url',
      'otherwise the list of field names would have no purpose',
    ],
  }),
];

function successReason(statuses: readonly number[]): string {
  if (statuses.includes(204)) return 'nothing is left to return';
  if (statuses.length > 1) return 'created if there was none, otherwise updated';
  return statuses.includes(201) ? 'the request creates a resource' : 'the common success status';
}
