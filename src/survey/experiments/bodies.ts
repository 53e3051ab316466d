import { rawBody, rawText } from '../../client/index.ts';
import type { ExperimentRunner } from '../experiment-runner.ts';
import { requestFields, wrongValue } from '../request-fields.ts';
import { cameOut, type Experiment, type Finding, type OperationEntry, subjectOf, withControl } from './experiment.ts';

type Body = Readonly<Record<string, unknown>>;

/** Sends a valid body, spoiled, next to a valid one. */
async function spoiled(
  runner: ExperimentRunner,
  { id }: OperationEntry,
  spoil: (body: Body) => ReturnType<typeof rawBody>,
): Promise<Finding> {
  await withControl(runner, id);
  return cameOut(runner, id, await runner.send(id, spoil((await runner.valid(id)) as Body)));
}

const perField =
  (family: string): Experiment['questions'] =>
  (entry) =>
    requestFields(entry).map(({ name }) => `${family}:${name}`);

const perBody =
  (question: string): Experiment['questions'] =>
  ({ request }) =>
    request ? [question] : [];

export const requiredField: Experiment = {
  questions: perField('required-field'),
  run: async (runner, entry, question) => {
    const { answer, seen } = await spoiled(runner, entry, (body) => {
      const { [subjectOf(question)]: _, ...rest } = body;
      return rawBody(rest);
    });
    return { answer: answer === 'accepted' ? 'optional' : answer.replace('refused with', 'required, else'), seen };
  },
};

export const wrongType: Experiment = {
  questions: perField('wrong-type'),
  run: (runner, entry, question) =>
    spoiled(runner, entry, (body) => {
      const field = requestFields(entry).find(({ name }) => name === subjectOf(question));
      return rawBody({ ...body, ...(field ? { [field.name]: wrongValue(field) } : {}) });
    }),
};

export const unknownField: Experiment = {
  questions: perBody('unknown-field'),
  run: (runner, entry) => spoiled(runner, entry, (body) => rawBody({ ...body, sextantUnknown: 'sextant' })),
};

export const malformedJson: Experiment = {
  questions: perBody('malformed-json'),
  run: (runner, entry) => spoiled(runner, entry, (body) => rawText(JSON.stringify(body).slice(0, -1))),
};

export const missingContentType: Experiment = {
  questions: perBody('missing-content-type'),
  run: (runner, entry) => spoiled(runner, entry, (body) => rawText(JSON.stringify(body), null)),
};
