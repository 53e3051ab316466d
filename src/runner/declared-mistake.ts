import { SpecMistake } from '../client/index.ts';
import { type Declared, readTags } from '../scenario/index.ts';
import { scenarioParameters } from './scenario-parameters.ts';

/** What is wrong with a scenario as it is declared, before anything is played; `undefined` if nothing is. */
export function declaredMistake({ title, details, body, line }: Declared): SpecMistake | undefined {
  try {
    readTags(title, typeof details === 'object' ? [details?.tag ?? []].flat() : undefined);
    scenarioParameters(title, body);
    return undefined;
  } catch (error) {
    if (error instanceof SpecMistake) return error.at(line);
    throw error;
  }
}
