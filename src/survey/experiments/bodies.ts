import { rawBody, rawText } from '../../client/index.ts';
import { type Field, fieldsOf } from '../../scenario/index.ts';
import type { Operation } from '../../spec/index.ts';
import type { ExperimentRunner } from '../asking/experiment-runner.ts';
import { isAlike, type Twice } from '../asking/reaction.ts';
import { Undecided } from '../facts/fact.ts';
import { cameOut, type Experiment, type OperationEntry, subjectOf, withComparison } from './experiment.ts';

type Body = Readonly<Record<string, unknown>>;

/** Sends a body that is made invalid, next to a valid one. */
async function sendInvalid(runner: ExperimentRunner, { id }: OperationEntry, change: (body: Body) => unknown) {
  await withComparison(runner, id);
  return cameOut(runner, id, await runner.send(id, change((await runner.valid(id)) as Body)));
}

/** Whether a body with one mistake is accepted. */
const invalid = (question: string, change: (body: Body) => unknown): Experiment => ({
  questions: ({ request }) => (request ? [question] : []),
  run: (runner, entry) => sendInvalid(runner, entry, change),
});

const perField =
  (family: string): Experiment['questions'] =>
  (entry) =>
    requestFields(entry).map(({ name }) => `${family}:${name}`);

const requiredField: Experiment = {
  questions: perField('required-field'),
  run: async (runner, entry, question) => {
    const { answer, seen } = await sendInvalid(runner, entry, (body) => {
      const { [subjectOf(question)]: _, ...rest } = body;
      return rawBody(rest);
    });
    return { answer: answer === 'accepted' ? 'optional' : answer.replace('refused with', 'required, else'), seen };
  },
};

const wrongType: Experiment = {
  questions: perField('wrong-type'),
  run: async (runner, entry, question) => {
    const field = requestFields(entry).find(({ name }) => name === subjectOf(question));
    const having = (value: unknown) => (body: Body) => rawBody({ ...body, ...(field ? { [field.name]: value } : {}) });
    const found = await sendInvalid(runner, entry, having(field && wrongValue(field)));
    const [refused] = found.seen;
    if (found.answer === 'accepted' || !refused || field?.type !== 'string' || field.isFreeText) return found;
    // A number may be taken as a text that names nothing: an unknown id of the right type is refused in the same way then.
    const unknown = await sendTwice(runner, entry, having(String(wrongValue(field))));
    if (!isAlike(refused, unknown)) return found;
    const missing = await sendTwice(runner, entry, having(undefined));
    if (isAlike(refused, missing))
      throw new Undecided('a number, an unknown text and no value at all are refused alike', [refused, unknown[0]]);
    return { answer: 'accepted as text', seen: [refused, unknown[0]] };
  },
};

async function sendTwice(
  runner: ExperimentRunner,
  { id }: OperationEntry,
  change: (body: Body) => unknown,
): Promise<Twice> {
  const send = async () => runner.send(id, change((await runner.valid(id)) as Body));
  return [await send(), await send()];
}

export const bodies: readonly Experiment[] = [
  requiredField,
  wrongType,
  invalid('unknown-field', (body) => rawBody({ ...body, sextantUnknown: 'sextant' })),
  invalid('malformed-json', (body) => rawText(JSON.stringify(body).slice(0, -1))),
  invalid('missing-content-type', (body) => rawText(JSON.stringify(body), null)),
];

/** A documented top-level field of a request body. */
interface RequestField extends Omit<Field, 'path'> {
  readonly name: string;
}

/** The documented top-level fields of an operation's request body that experiments change. */
export function requestFields({ request }: Operation): RequestField[] {
  if (!request) return [];
  return fieldsOf(request).flatMap(({ path, ...field }) =>
    path.length === 1 ? [{ name: String(path[0]), ...field }] : [],
  );
}

function wrongValue({ type }: RequestField): unknown {
  return type === 'string' ? 12_345 : 'sextant';
}
