import { assumptions } from '../../reference-service/assumptions/table.ts';
import type { Facts } from '../facts/index.ts';
import type { Symptom } from './symptom.ts';

/**
 * The symptom that the same failure has on the reference service, which the kill matrix was made with: the facts of an environment say where
 * it refuses with another status, and where its successes have no body, or one more.
 */
export function onReference(symptom: Symptom, operation: string | undefined, facts: Facts | undefined): Symptom {
  if (!facts || operation === undefined) return symptom;
  const both = [...facts]
    .filter((fact) => fact.operation === operation)
    .flatMap(({ question, answer }) => {
      const there = assumptions.find(
        (each) => each.question === question && each.operations.some((id) => id === operation),
      );
      return there ? [{ question, here: answer, there: there.answer }] : [];
    });
  const symptoms = new Set(
    both.flatMap(({ question, here, there }) =>
      symptomIn(question, here) === symptom ? (symptomIn(question, there) ?? []) : [],
    ),
  );
  // A status with several meanings means what it means to the reference service.
  const [first = symptom] = symptoms;
  return symptoms.size === 1 ? first : symptom;
}

/** `refused with 404` and `required, else 404` are `404`; the shape of a success is its kind of body. */
function symptomIn(question: string, answer: string): Symptom | undefined {
  if (question === 'answer-shape') return answer === 'no body' ? '2xx empty' : '2xx json';
  return /^(?:refused with|required, else) (\d{3})$/.exec(answer)?.[1];
}
