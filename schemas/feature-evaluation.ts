/** Feature evaluation (specification, part 2). */
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
