import { type Form, offer } from '../../client/index.ts';
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
    others.map(
      (reading) =>
        new OtherForm(
          () => make(reading),
          () => readings.find({ question, reading }),
        ),
    ),
  );
}

/** Hardly any form but the first is ever needed, and its data takes longer to invent than a request to send. */
class OtherForm<A> implements Form<A> {
  readonly taken: () => void;
  readonly #make: () => A;
  #made: A | undefined;

  constructor(make: () => A, taken: () => void) {
    this.#make = make;
    this.taken = taken;
  }

  get args(): A {
    this.#made ??= this.#make();
    return this.#made;
  }
}
