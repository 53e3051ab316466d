import { requestSchemas } from '../../schemas/index.ts';
import { operationIds, operations } from '../../src/spec/index.ts';
import { type Assumption, about, refused } from './assumption.ts';
import { assumed } from './values.ts';

const withBody = operationIds.filter((id) => 'request' in operations[id]);

/** The values that a survey tries for codes the specification leaves open. */
const codes = '-1, 0, 1, 2, 3, 9, 100';

const NO_LIMITS = `the specification shows no limits; only the body is limited: ${assumed.bodyTooLarge} above ${assumed.maxBodyBytes} bytes`;

/** The strictness of request bodies, field by field. */
export function bodyAssumptions(): readonly Assumption[] {
  return [
    ...perField('required-field', (field, { required }) =>
      required.includes(field)
        ? [`required, else ${assumed.invalidBody}`, 'the record would be incomplete without it']
        : ['optional', 'an update may contain any subset of the fields'],
    ),
    ...perField('wrong-type', () => [refused(assumed.invalidBody), 'the specification gives each field one type']),
    ...about(withBody, {
      'unknown-field': [
        refused(assumed.invalidBody),
        'field names are "exactly as written", so any other is a mistake',
      ],
      'malformed-json': [refused(assumed.invalidBody), 'HTTP: bad request'],
      'missing-content-type': [refused(assumed.unsupportedMediaType), 'part 4 requires Content-Type: application/json'],
    }),
    ...perField('text-limit', (field, { properties }) =>
      isFreeText(properties[field] ?? {}) ? ['none up to 10000 characters', NO_LIMITS] : undefined,
    ),
    ...about(['saveAvatar'], {
      'allowed-values:items.type': [`all that were tried: ${codes}`, 'the specification gives no list'],
    }),
    ...(['updateProfile', 'getFriendProfile'] as const).flatMap((id) =>
      about([id], {
        'allowed-values:gender': [`all that were tried: ${codes}`, 'the specification gives no list'],
        'allowed-values:status': [
          'all that were tried: "", "online", "away", "sextant-invented"',
          'the specification defines it as text',
        ],
      }),
    ),
  ];
}

interface Fields {
  readonly properties: Readonly<{ [field: string]: object }>;
  readonly required: readonly string[];
}

/** The assumption for each documented field of each body; `undefined`: none. */
function perField(
  question: string,
  assume: (field: string, record: Fields) => readonly [answer: string, why: string] | undefined,
): readonly Assumption[] {
  return withBody.flatMap((id) => {
    const { request } = operations[id] as { request: keyof typeof requestSchemas };
    const record: Fields = requestSchemas[request];
    return Object.keys(record.properties).flatMap((field) => {
      const assumption = assume(field, record);
      return assumption ? about([id], { [`${question}:${field}`]: assumption }) : [];
    });
  });
}

/** Fields with free text, as opposed to ids and encoded lists. */
function isFreeText(schema: object): boolean {
  return 'type' in schema && schema.type === 'string' && !('pattern' in schema) && !('minLength' in schema);
}
