/** Design type clone (specification, part 2; its field names begin with capitals). What a file is, is not shown. */
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
