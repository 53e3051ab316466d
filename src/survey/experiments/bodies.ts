import { rawBody, rawText } from '../../client/index.ts';
import type { ExperimentRunner } from '../asking/experiment-runner.ts';
import {
  cameOut,
  type Experiment,
  type Finding,
  type OperationEntry,
  subjectOf,
  withComparison,
} from './experiment.ts';
import { requestFields, wrongValue } from './request-fields.ts';

type Body = Readonly<Record<string, unknown>>;

/** Sends an invalid body, next to a valid one. */
async function invalidBody(
  runner: ExperimentRunner,
  { id }: OperationEntry,
  makeInvalid: (body: Body) => ReturnType<typeof rawBody>,
): Promise<Finding> {
  await withComparison(runner, id);
  return cameOut(runner, id, await runner.send(id, makeInvalid((await runner.valid(id)) as Body)));
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
    const { answer, seen } = await invalidBody(runner, entry, (body) => {
      const { [subjectOf(question)]: _, ...rest } = body;
      return rawBody(rest);
    });
    return { answer: answer === 'accepted' ? 'optional' : answer.replace('refused with', 'required, else'), seen };
  },
};

export const wrongType: Experiment = {
  questions: perField('wrong-type'),
  run: (runner, entry, question) =>
    invalidBody(runner, entry, (body) => {
      const field = requestFields(entry).find(({ name }) => name === subjectOf(question));
      return rawBody({ ...body, ...(field ? { [field.name]: wrongValue(field) } : {}) });
    }),
};

export const unknownField: Experiment = {
  questions: perBody('unknown-field'),
  run: (runner, entry) => invalidBody(runner, entry, (body) => rawBody({ ...body, sextantUnknown: 'sextant' })),
};

export const malformedJson: Experiment = {
  questions: perBody('malformed-json'),
  run: (runner, entry) => invalidBody(runner, entry, (body) => rawText(JSON.stringify(body).slice(0, -1))),
};

export const missingContentType: Experiment = {
  questions: perBody('missing-content-type'),
  run: (runner, entry) => invalidBody(runner, entry, (body) => rawText(JSON.stringify(body), null)),
};
