import { asIs, asIsText } from '../../client/index.ts';
import type { Lab } from '../experiment-runner.ts';
import { fieldsOf, wrongValue } from '../request-fields.ts';
import { cameOut, type Experiment, type Finding, type OperationEntry, subjectOf, withControl } from './experiment.ts';

type Body = Readonly<Record<string, unknown>>;

/** Sends a valid body, spoiled, next to a valid one. */
async function spoiled(
  lab: Lab,
  { id }: OperationEntry,
  spoil: (body: Body) => ReturnType<typeof asIs>,
): Promise<Finding> {
  await withControl(lab, id);
  return cameOut(lab, id, await lab.send(id, spoil((await lab.valid(id)) as Body)));
}

const perField =
  (family: string): Experiment['questions'] =>
  (entry) =>
    fieldsOf(entry).map(({ name }) => `${family}:${name}`);

const perBody =
  (question: string): Experiment['questions'] =>
  ({ request }) =>
    request ? [question] : [];

export const requiredField: Experiment = {
  questions: perField('required-field'),
  run: async (lab, entry, question) => {
    const { answer, seen } = await spoiled(lab, entry, (body) => {
      const { [subjectOf(question)]: _, ...rest } = body;
      return asIs(rest);
    });
    return { answer: answer === 'accepted' ? 'optional' : answer.replace('refused with', 'required, else'), seen };
  },
};

export const wrongType: Experiment = {
  questions: perField('wrong-type'),
  run: (lab, entry, question) =>
    spoiled(lab, entry, (body) => {
      const field = fieldsOf(entry).find(({ name }) => name === subjectOf(question));
      return asIs({ ...body, ...(field ? { [field.name]: wrongValue(field) } : {}) });
    }),
};

export const unknownField: Experiment = {
  questions: perBody('unknown-field'),
  run: (lab, entry) => spoiled(lab, entry, (body) => asIs({ ...body, sextantUnknown: 'sextant' })),
};

export const malformedJson: Experiment = {
  questions: perBody('malformed-json'),
  run: (lab, entry) => spoiled(lab, entry, (body) => asIsText(JSON.stringify(body).slice(0, -1))),
};

export const missingContentType: Experiment = {
  questions: perBody('missing-content-type'),
  run: (lab, entry) => spoiled(lab, entry, (body) => asIsText(JSON.stringify(body), null)),
};
