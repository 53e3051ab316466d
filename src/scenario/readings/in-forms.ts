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
  const others = names.filter((name) => name !== chosen);
  return offer(
    args,
    others.map((reading) => ({ args: make(reading), taken: () => readings.find({ question, reading }) })),
  );
}
