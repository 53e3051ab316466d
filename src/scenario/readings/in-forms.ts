import { offer } from '../../client/index.ts';
import { openQuestions, type QuestionId } from '../../spec/index.ts';
import type { Readings } from './readings.ts';

/**
 * Arguments in the form that a question's reading gives them: the one that is known, or found earlier in the run, or the
 * first. Where it isn't known, the other forms are offered with it.
 */
export function inForms<A extends object>(
  readings: Pick<Readings, 'of' | 'known' | 'find'> | undefined,
  question: QuestionId,
  make: (reading: string) => A,
): A {
  const names = Object.keys(openQuestions[question].readings) as [string, ...string[]];
  const chosen = readings?.of({ question }) ?? names[0];
  const args = make(chosen);
  if (!readings || readings.known({ question })) return args;
  const left = names.filter((name) => name !== chosen);
  const made = new Map<string, A>();
  return offer(args, () => {
    const forms = left.values();
    return async () => {
      const reading = forms.next().value;
      if (reading === undefined) return undefined;
      // Hardly any form but the first is ever needed, and its data takes longer to invent than a request to send.
      const other = made.get(reading) ?? make(reading);
      made.set(reading, other);
      return { args: other, taken: () => readings.find({ question, reading }) };
    };
  });
}
