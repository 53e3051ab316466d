/** Story reference: the story to love or unlove (specification, part 2). */
export const storyReference = {
  $id: 'story-reference',
  title: 'Story reference',
  type: 'object',
  properties: { storyId: { type: 'string', minLength: 1 } },
  required: ['storyId'],
  additionalProperties: false,
} as const;
