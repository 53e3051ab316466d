import { Refusal } from '../refusal.ts';
import { type CataloguedFault, ofKind } from './kind.ts';

type Body = Record<string, unknown>;

/** Rejects bodies that a sentence of the specification allows: `isFine` is too strict. */
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

/** Services that require a request other than the documented one. */
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
