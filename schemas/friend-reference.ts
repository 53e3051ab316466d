/** Friend reference: whom to block or unblock (specification, part 2). */
export const friendReference = {
  $id: 'friend-reference',
  title: 'Friend reference',
  type: 'object',
  properties: { friendId: { type: 'string', minLength: 1 } },
  required: ['friendId'],
  additionalProperties: false,
} as const;
