/**
 * Avatar (specification, part 2). The suite sends whole records: of all fields only `designId` is said to be absent on
 * some items, so only it is optional here.
 */
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
