import { rawBody, rawText } from '../../client/index.ts';
import { type Field, fieldsOf } from '../../scenario/index.ts';
import type { Operation } from '../../spec/index.ts';
import type { Body } from '../asking/question.ts';
import { isAlike } from '../asking/reaction.ts';
import { Undecided } from '../facts/fact.ts';
import { type Experiment, oneQuestion, spoilt } from './experiment.ts';

const invalid = (question: string, change: (body: Body) => unknown): Experiment =>
  oneQuestion(question, ({ request }) => request !== undefined, spoilt(change));

const perField = (family: string, run: Experiment['run']): Experiment => ({
  questions: (entry) => requestFields(entry).map(({ name }) => `${family}:${name}`),
  run,
});

const withoutField = spoilt((body, { subject }) => {
  const { [subject]: _, ...rest } = body;
  return rawBody(rest);
});

const requiredField = perField('required-field', async (question) => {
  const { answer, seen } = await withoutField(question);
  return { answer: answer === 'accepted' ? 'optional' : answer.replace('refused with', 'required, else'), seen };
});

const wrongType = perField('wrong-type', async (question) => {
  const { entry, subject } = question;
  const field = requestFields(entry).find(({ name }) => name === subject) as RequestField;
  const having = (value: unknown) => (body: Body) => rawBody({ ...body, [field.name]: value });
  const wrong = field.type === 'string' ? 12_345 : 'sextant';
  const found = await spoilt(having(wrong))(question);
  const [refused] = found.seen;
  if (found.answer === 'accepted' || !refused || field.type !== 'string' || field.isFreeText) return found;
  // A number may be taken as a text that names nothing: an unknown id of the right type is refused in the same way then.
  const twice = (value: unknown) => question.twice(async () => having(value)(await question.valid()));
  const unknown = await twice(String(wrong));
  if (!isAlike(refused, unknown)) return found;
  if (isAlike(refused, await twice(undefined)))
    throw new Undecided('a number, an unknown text and no value at all are refused alike', [refused, unknown[0]]);
  return { answer: 'accepted as text', seen: [refused, unknown[0]] };
});

export const bodies: readonly Experiment[] = [
  requiredField,
  wrongType,
  invalid('unknown-field', (body) => rawBody({ ...body, sextantUnknown: 'sextant' })),
  invalid('malformed-json', (body) => rawText(JSON.stringify(body).slice(0, -1))),
  invalid('missing-content-type', (body) => rawText(JSON.stringify(body), null)),
];

interface RequestField extends Omit<Field, 'path'> {
  readonly name: string;
}

export function requestFields({ request }: Operation): RequestField[] {
  if (!request) return [];
  return fieldsOf(request).flatMap(({ path, ...field }) =>
    path.length === 1 ? [{ name: String(path[0]), ...field }] : [],
  );
}
