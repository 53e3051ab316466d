import { requestSchemas } from '../../schemas/index.ts';
import { rawBody, rawText } from '../call/index.ts';
import { type Answer, type Asker, type Body, type OperationEntry, Undecided } from './asker/asker.ts';
import { isAlike } from './asker/reaction.ts';
import { changed, once, outcomes, type Question, requestWords } from './question.ts';

const openIn = 'part 2: which request fields are required is not shown';

const perField = (id: string, rest: Omit<Question, 'id' | 'of' | 'openIn'>): Question => ({
  id,
  of: (entry) => Object.keys(fieldsOf(entry)).map((name) => `${id}:${name}`),
  openIn,
  ...rest,
});

const withoutField = changed((body, { subject }) => {
  const { [subject]: _, ...rest } = body;
  return rawBody(rest);
});

const requiredField = perField('required-field', {
  answers: 'optional, or required (with the status of the refusal)',
  form: /^(optional|required(, else \d{3})?)$/,
  broken: requestWords((field) => `a request without ${field}`),
  experiment: 'a valid request, and the same without the field',
  ask: async (asker) => {
    const { answer, ...rest } = await withoutField(asker);
    return { ...rest, answer: answer === 'accepted' ? 'optional' : answer.replace('refused with', 'required, else') };
  },
  hold: 'again',
});

/** Sends a value of another type than that of the field. */
const ofAnotherType = changed((body, { entry, subject }) =>
  rawBody({ ...body, [subject]: fieldsOf(entry)[subject]?.type === 'string' ? 12_345 : 'sextant' }),
);

async function askWrongType(asker: Asker): Promise<Answer> {
  const { entry, subject } = asker;
  const { type, isFreeText } = fieldsOf(entry)[subject] as Field;
  const having = (value: unknown) => (body: Body) => rawBody({ ...body, [subject]: value });
  const wrong = type === 'string' ? 12_345 : 'sextant';
  const found = await changed(having(wrong))(asker);
  const refused = found.seen.at(-1);
  if (found.answer === 'accepted' || !refused || type !== 'string' || isFreeText) return found;
  // The service may read the number as a text, and refuse this text as an unknown id. If so, it refuses a text with the same digits in the
  // same way.
  const twice = (value: unknown) => asker.twice(async () => having(value)(await asker.toChange()));
  const unknown = await twice(String(wrong));
  if (!isAlike(refused, unknown)) return found;
  for (const other of [undefined, [wrong]])
    if (isAlike(refused, await twice(other)))
      throw new Undecided('a number, an unknown text and a value that is no text are all refused alike', [
        refused,
        unknown[0],
      ]);
  return { answer: 'accepted as text', seen: [refused, unknown[0]] };
}

const wrongType = perField('wrong-type', {
  answers: 'accepted, accepted as text, or refused (with a status)',
  form: /^(accepted( as text)?|refused( with \d{3})?)$/,
  broken: requestWords((field) => `a ${field} of another type`),
  experiment: 'a valid request, the same with a value of another type, and with an unknown id of the right type',
  ask: askWrongType,
  hold: (asker, answer) => {
    // If the service accepted the request, a clone labelled with a number would stay, and the service would refuse the next one as a duplicate.
    if (answer.startsWith('accepted') && asker.entry.effect === 'irreversible')
      throw new Undecided('an accepted request would stay');
    return answer === 'accepted as text' ? askWrongType(asker) : ofAnotherType(asker);
  },
});

const invalid = (id: string, request: string, experiment: string, change: (body: Body) => unknown): Question => ({
  id,
  of: once(id, ({ request }) => request !== undefined),
  openIn: 'part 7: errors are not shown',
  ...outcomes,
  broken: requestWords(() => request),
  experiment,
  ask: changed(change),
  hold: 'again',
});

/** The name of a field that no document mentions. A service may store the field nevertheless. */
export const UNKNOWN_FIELD = 'sextantUnknown';

export const bodies: readonly Question[] = [
  requiredField,
  wrongType,
  invalid(
    'unknown-field',
    'a field that is not documented',
    'a valid request, and the same with a field that is not documented',
    (body) => rawBody({ ...body, [UNKNOWN_FIELD]: 'sextant' }),
  ),
  invalid('malformed-json', 'malformed JSON', 'a valid request, and the same without its last character', (body) =>
    rawText(JSON.stringify(body).slice(0, -1)),
  ),
  invalid(
    'missing-content-type',
    'a request without Content-Type',
    'a valid request, and the same without Content-Type',
    (body) => rawText(JSON.stringify(body), null),
  ),
];

interface Field {
  readonly type: string;
  /** True for prose: a text without a pattern or minimum length, so it is neither an id nor a list in a text. */
  readonly isFreeText: boolean;
}

function fieldsOf({ request }: OperationEntry): Readonly<Record<string, Field>> {
  if (!request) return {};
  const properties: Readonly<Record<string, { type?: string; pattern?: string; minLength?: number }>> =
    requestSchemas[request].properties;
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type = '', pattern, minLength }]) => {
      return [name, { type, isFreeText: type === 'string' && pattern === undefined && minLength === undefined }];
    }),
  );
}
