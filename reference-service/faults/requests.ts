import type { CallableId } from '../../src/spec/index.ts';
import { Refusal } from '../refusal.ts';
import type { Fault } from './fault-switch.ts';
import { type CataloguedFault, ofKind } from './kind.ts';

type Body = Record<string, unknown>;

/** Rejects bodies that the specification allows: `isFine` is too strict. */
function tooStrict(isFine: (body: Body) => boolean): NonNullable<Fault['validate']> {
  return (original) => (operation, body) => {
    if (!isFine(body as Body)) throw new Refusal(400, 'invalid_body', 'the body is not valid');
    return original(operation, body);
  };
}

const refused = (
  name: string,
  operation: CallableId,
  breaks: string,
  isFine: (body: Body) => boolean,
): Omit<CataloguedFault, 'kind'> => ({
  name,
  operation,
  grade: 'documented',
  breaks: `part 2: ${breaks}`,
  validate: tooStrict(isFine),
});

const isNumeric = (value: unknown) => Number.isInteger(value) || /^\d+$/.test(String(value));

/** Services that require a request other than the documented one. */
export const requestFaults = ofKind('request', [
  refused('block-wants-numeric-ids', 'block', 'every identifier field is a string', (body) => isNumeric(body.friendId)),
  refused('unblock-wants-userId', 'unblock', 'the field is friendId', (body) => 'userId' in body),
  refused('love-wants-numeric-ids', 'love', 'every identifier field is a string', (body) => isNumeric(body.storyId)),
  refused('unlove-wants-story_id', 'unlove', 'the field is storyId', (body) => 'story_id' in body),
  refused('report-wants-no-message', 'report', 'message is a field of the report', (body) => !('message' in body)),
  refused(
    'report-wants-a-list-in-text',
    'report',
    'reports is an array of string',
    (body) => !Array.isArray(body.reports),
  ),
  refused(
    'cloneType-wants-small-initials',
    'cloneType',
    'field names are case-sensitive, as written',
    (body) => 'typeName' in body,
  ),
  refused(
    'cloneType-wants-files',
    'cloneType',
    'Files may be empty',
    ({ Files }) => Array.isArray(Files) && Files.length > 0,
  ),
  refused(
    'cloneType-wants-text-for-the-default',
    'cloneType',
    'IsSetDefaultTypeVersion is a boolean',
    (body) => typeof body.IsSetDefaultTypeVersion === 'string',
  ),
  refused(
    'cloneType-wants-short-versions',
    'cloneType',
    'TypeVersion is a string, the label of the version',
    (body) => String(body.TypeVersion).length < 3,
  ),
  refused(
    'saveAvatar-wants-a-design-on-each-item',
    'saveAvatar',
    'designId is present on some items and absent on others',
    ({ items }) => (items as Body[]).every((item) => 'designId' in item),
  ),
  refused('saveAvatar-wants-no-design', 'saveAvatar', 'designId is present on some items', ({ items }) =>
    (items as Body[]).every((item) => !('designId' in item)),
  ),
  refused('saveAvatar-wants-types-in-text', 'saveAvatar', 'type is an integer', ({ items }) =>
    (items as Body[]).every((item) => typeof item.type === 'string'),
  ),
  refused(
    'saveAvatar-wants-commas',
    'saveAvatar',
    'includes is separated by semicolons',
    (body) => !String(body.includes).includes(';'),
  ),
  refused(
    'saveAvatar-wants-meta-as-object',
    'saveAvatar',
    'meta is carried as a string',
    (body) => typeof body.meta === 'object',
  ),
  refused(
    'updateProfile-wants-gender-in-text',
    'updateProfile',
    'gender is an integer',
    (body) => typeof body.gender === 'string',
  ),
  refused('updateProfile-wants-avatarUrl', 'updateProfile', 'the field is url', (body) => 'avatarUrl' in body),
  refused(
    'evaluate-wants-no-context',
    'evaluate',
    'contextData is an object of string to string',
    (body) => !('contextData' in body),
  ),
  refused(
    'evaluate-wants-a-boolean-default',
    'evaluate',
    'default is a string',
    (body) => typeof body.default === 'boolean',
  ),
]);
