import type { OutgoingResponse } from '../json-server.ts';
import { Refusal } from '../refusal.ts';
import { type CataloguedFault, ofKind } from './kind.ts';
import { onSuccess } from './tamper.ts';

type Body = Record<string, unknown>;

/** Rejects the bodies for which `isFine` returns false, although `sentence` of the specification allows them. */
const refused = (
  sentence: string,
  isFine: (body: Body) => boolean,
): Required<Pick<CataloguedFault, 'breaks' | 'validate'>> => ({
  breaks: `part 2: ${sentence}`,
  validate: (original) => (operation, body) => {
    if (!isFine(body as Body)) throw new Refusal(400);
    return original(operation, body);
  },
});

const isNumeric = (value: unknown) => Number.isInteger(value) || /^\d+$/.test(String(value));
const ids = 'every identifier field is a string';
const ofItems = (isFine: (item: Body) => boolean) => (body: Body) => (body.items as Body[]).every(isFine);

export const requestFaults = ofKind('request', 'part 2', {
  'block-wants-numeric-ids': refused(ids, (body) => isNumeric(body.friendId)),
  'unblock-wants-userId': refused('the field is friendId', (body) => 'userId' in body),
  'love-wants-numeric-ids': refused(ids, (body) => isNumeric(body.storyId)),
  'unlove-wants-story_id': refused('the field is storyId', (body) => 'story_id' in body),
  'report-wants-no-message': refused('message is a field of the report', (body) => !('message' in body)),
  'report-wants-a-list-in-text': refused('reports is an array of string', (body) => !Array.isArray(body.reports)),
  'cloneType-wants-small-initials': refused('field names are case-sensitive, as written', (body) => 'typeName' in body),
  'cloneType-wants-files': refused('Files may be empty', ({ Files }) => Array.isArray(Files) && Files.length > 0),
  'cloneType-wants-text-for-the-default': refused(
    'IsSetDefaultTypeVersion is a boolean',
    (body) => typeof body.IsSetDefaultTypeVersion === 'string',
  ),
  'cloneType-wants-short-versions': refused(
    'TypeVersion is a string, the label of the version',
    (body) => String(body.TypeVersion).length < 3,
  ),
  'saveAvatar-wants-a-design-on-each-item': refused(
    'designId is present on some items and absent on others',
    ofItems((item) => 'designId' in item),
  ),
  'saveAvatar-wants-no-design': refused(
    'designId is present on some items',
    ofItems((item) => !('designId' in item)),
  ),
  'saveAvatar-wants-types-in-text': refused(
    'type is an integer',
    ofItems((item) => typeof item.type === 'string'),
  ),
  'saveAvatar-wants-commas': refused(
    'includes is separated by semicolons',
    (body) => !String(body.includes).includes(';'),
  ),
  'saveAvatar-wants-meta-as-object': refused('meta is carried as a string', (body) => typeof body.meta === 'object'),
  'updateProfile-wants-gender-in-text': refused('gender is an integer', (body) => typeof body.gender === 'string'),
  'updateProfile-wants-avatarUrl': refused('the field is url', (body) => 'avatarUrl' in body),
  'evaluate-wants-no-context': refused(
    'contextData is an object of string to string',
    (body) => !('contextData' in body),
  ),
  'evaluate-wants-a-boolean-default': refused('default is a string', (body) => typeof body.default === 'boolean'),
});

const page = '<!doctype html><title>Welcome</title><p>It works.';
const trace = "TypeError: Cannot read properties of undefined (reading 'id')\n    at deleteItem (/srv/storage.js:7:11)";
const sense = 'common sense: success is a 2xx';

const withHeader =
  (name: string, value: string, rest: Partial<OutgoingResponse> = {}): Parameters<typeof onSuccess>[0] =>
  ({ headers }) => ({ headers: { ...headers, [name]: value }, ...rest });

const saying = (body: string) => onSuccess(() => ({ body }));

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
    'listBlocked-answers-nothing': { breaks: 'row 2 and part 1: the caller lists the users', respond: saying('') },
    'reportOptions-answers-nothing': { breaks: 'part 4, rule 2: the options are returned', respond: saying('') },
    'evaluate-answers-nothing': { breaks: 'part 4, rule 5: the default is the fallback value', respond: saying('') },
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
