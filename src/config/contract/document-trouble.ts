import { ConfigurationError } from '../configuration-error.ts';

/** An OpenAPI document can't be used; one line: the place in it, what is wrong, what to do. */
export class DocumentTrouble extends ConfigurationError {
  constructor(place: string, problem: string) {
    super(`${place}: ${problem}.`);
  }
}
