/** The only report code in the specification (part 2, story report). */
export const KNOWN_REPORT_CODE = 'SEXUALLY_INAPPROPRIATE';

/** Story report (specification, part 2). The full set of codes is not shown, so any string may stand in `reports`. */
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
