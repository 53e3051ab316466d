// The request records of the specification (part 2), as JSON Schema.

export const friendReference = {
  $id: 'friend-reference',
  title: 'Friend reference',
  type: 'object',
  properties: { friendId: { type: 'string', minLength: 1 } },
  required: ['friendId'],
  additionalProperties: false,
} as const;

export const storyReference = {
  $id: 'story-reference',
  title: 'Story reference',
  type: 'object',
  properties: { storyId: { type: 'string', minLength: 1 } },
  required: ['storyId'],
  additionalProperties: false,
} as const;

/** The only report code in the specification. */
export const KNOWN_REPORT_CODE = 'SEXUALLY_INAPPROPRIATE';

/** Story report. The specification doesn't show all codes, so `reports` may contain any string. */
export const storyReport = {
  $id: 'story-report',
  title: 'Story report',
  type: 'object',
  properties: {
    storyId: { type: 'string', minLength: 1 },
    reports: { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1 },
    message: { type: 'string' },
  },
  required: ['storyId', 'reports', 'message'],
  additionalProperties: false,
} as const;

/** Avatar. Every field is required, except `designId` of an item: the specification says that some items have no `designId`. */
export const avatar = {
  $id: 'avatar',
  title: 'Avatar',
  type: 'object',
  properties: {
    includes: { type: 'string', pattern: '^([0-9]+(;[0-9]+)*)?$' },
    name: { type: 'string' },
    meta: { type: 'string' },
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          itemId: { type: 'string', minLength: 1 },
          type: { type: 'integer' },
          designId: { type: 'string', minLength: 1 },
        },
        required: ['itemId', 'type'],
        additionalProperties: false,
      },
    },
  },
  required: ['includes', 'name', 'meta', 'items'],
  additionalProperties: false,
} as const;

/** The field names that may appear in `includes`. `avartarUrl` is no typo here: the specification spells the name like this. */
export const PROFILE_INCLUDES = ['name', 'status', 'avartarUrl', 'gender'] as const;

const listed = PROFILE_INCLUDES.join('|');

/** Profile. The specification doesn't explain `includes`, so an update may contain any field of the record, whatever `includes` lists. */
export const profile = {
  $id: 'profile',
  title: 'Profile',
  type: 'object',
  properties: {
    includes: { type: 'string', pattern: `^((${listed})(;(${listed}))*)?$` },
    name: { type: 'string' },
    status: { type: 'string' },
    url: { type: 'string' },
    gender: { type: 'integer' },
  },
  required: ['includes'],
  minProperties: 2,
  additionalProperties: false,
} as const;

/** Design type clone (its field names begin with capitals). The specification doesn't describe a file, so `Files` may contain anything. */
export const designTypeClone = {
  $id: 'design-type-clone',
  title: 'Design type clone',
  type: 'object',
  properties: {
    FromClientId: { type: 'string', minLength: 1 },
    TypeName: { type: 'string', minLength: 1 },
    TypeVersion: { type: 'string', minLength: 1 },
    Files: { type: 'array' },
    IsSetDefaultTypeVersion: { type: 'boolean' },
  },
  required: ['FromClientId', 'TypeName', 'TypeVersion', 'Files', 'IsSetDefaultTypeVersion'],
  additionalProperties: false,
} as const;

export const featureEvaluation = {
  $id: 'feature-evaluation',
  title: 'Feature evaluation',
  type: 'object',
  properties: {
    key: { type: 'string', minLength: 1 },
    default: { type: 'string' },
    contextData: { type: 'object', additionalProperties: { type: 'string' } },
  },
  required: ['key', 'default', 'contextData'],
  additionalProperties: false,
} as const;
