/** The field names that appear in `includes`; `avartarUrl` is spelled exactly so (specification, part 2, profile). */
export const PROFILE_INCLUDES = ['name', 'status', 'avartarUrl', 'gender'] as const;

const listed = PROFILE_INCLUDES.join('|');

/** Profile (specification, part 2). What `includes` does is not shown, so an update may name any part of the record. */
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
