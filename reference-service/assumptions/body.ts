import { requestSchemas } from '../../schemas/index.ts';
import { operationIds, operations } from '../../src/spec/index.ts';
import type { Assumption } from './types.ts';
import { assumed } from './values.ts';

const withBody = operationIds.filter((id) => 'request' in operations[id]);

/** Codes that the document leaves open, as a survey tries them. */
const codes = '-1, 0, 1, 2, 3, 9, 100';

/** How strictly request bodies are read, field by field. */
export function bodyAssumptions(): readonly Assumption[] {
  return [
    ...requiredFields(),
    ...perField(
      'wrong-type',
      () => true,
      `refused with ${assumed.invalidBody}`,
      'the document gives every field one type',
    ),
    {
      operations: withBody,
      question: 'unknown-field',
      answer: `refused with ${assumed.invalidBody}`,
      why: 'field names are "exactly as written", so a further one is a mistake',
    },
    {
      operations: withBody,
      question: 'malformed-json',
      answer: `refused with ${assumed.invalidBody}`,
      why: 'HTTP: a bad request',
    },
    {
      operations: withBody,
      question: 'missing-content-type',
      answer: `refused with ${assumed.unsupportedMediaType}`,
      why: 'part 4 wants Content-Type: application/json',
    },
    ...perField(
      'text-limit',
      isFreeText,
      'none up to 10000 characters',
      `limits are not shown; only the body must end somewhere: ${assumed.bodyTooLarge} above ${assumed.maxBodyBytes} bytes`,
    ),
    {
      operations: ['saveAvatar'],
      question: 'allowed-values:items.type',
      answer: `all that were tried: ${codes}`,
      why: 'the document gives no list of them',
    },
    ...(['updateProfile', 'getFriendProfile'] as const).flatMap((id) => [
      {
        operations: [id],
        question: 'allowed-values:gender',
        answer: `all that were tried: ${codes}`,
        why: 'the document gives no list of them',
      },
      {
        operations: [id],
        question: 'allowed-values:status',
        answer: 'all that were tried: "", "online", "away", "sextant-invented"',
        why: 'the document calls it a text',
      },
    ]),
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
          ? 'a record without it would mean nothing, or something else'
          : 'an update may name any part of the record',
      };
    });
  });
}

/** The same decision about each documented field of each body that `applies`. */
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

/** Prose: a text that is no id and no list in disguise. */
function isFreeText(schema: object): boolean {
  return 'type' in schema && schema.type === 'string' && !('pattern' in schema) && !('minLength' in schema);
}
