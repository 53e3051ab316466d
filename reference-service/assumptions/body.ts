import { requestSchemas } from '../../schemas/index.ts';
import { operationIds, operations } from '../../src/spec/index.ts';
import { type Assumption, about, refused } from './assumption.ts';
import { assumed } from './values.ts';

const withBody = operationIds.filter((id) => 'request' in operations[id]);

/** The values that a survey tries for codes the specification leaves open. */
const codes = '-1, 0, 1, 2, 3, 9, 100';

/** The strictness of request bodies, field by field. */
export function bodyAssumptions(): readonly Assumption[] {
  return [
    ...requiredFields(),
    ...perField('wrong-type', () => true, refused(assumed.invalidBody), 'the specification gives each field one type'),
    ...about(withBody, {
      'unknown-field': [
        refused(assumed.invalidBody),
        'field names are "exactly as written", so any other is a mistake',
      ],
      'malformed-json': [refused(assumed.invalidBody), 'HTTP: bad request'],
      'missing-content-type': [refused(assumed.unsupportedMediaType), 'part 4 requires Content-Type: application/json'],
    }),
    ...perField(
      'text-limit',
      isFreeText,
      'none up to 10000 characters',
      `the specification shows no limits; only the body is limited: ${assumed.bodyTooLarge} above ${assumed.maxBodyBytes} bytes`,
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

function requiredFields(): Assumption[] {
  return withBody.flatMap((id) => {
    const { request } = operations[id] as { request: keyof typeof requestSchemas };
    const { properties, required } = requestSchemas[request];
    return Object.keys(properties).map((field) => {
      const isRequired = (required as readonly string[]).includes(field);
      return {
        operations: [id],
        question: `required-field:${field}`,
        answer: isRequired ? `required, else ${assumed.invalidBody}` : 'optional',
        why: isRequired
          ? 'the record would be incomplete without it'
          : 'an update may contain any subset of the fields',
      };
    });
  });
}

/** The same assumption for each documented field of each body that `applies`. */
function perField(
  question: string,
  applies: (schema: object) => boolean,
  answer: string,
  why: string,
): readonly Assumption[] {
  return withBody.flatMap((id) => {
    const { request } = operations[id] as { request: keyof typeof requestSchemas };
    return Object.entries<object>(requestSchemas[request].properties)
      .filter(([, schema]) => applies(schema))
      .map(([field]) => ({ operations: [id], question: `${question}:${field}`, answer, why }));
  });
}

/** Fields with free text, as opposed to ids and encoded lists. */
function isFreeText(schema: object): boolean {
  return 'type' in schema && schema.type === 'string' && !('pattern' in schema) && !('minLength' in schema);
}
