import { SpecMistake } from '../client/index.ts';
import { didYouMean } from '../config/did-you-mean.ts';
import { type ScenarioBody, takenNames, valueNames, type WorldValues } from '../scenario/index.ts';

/**
 * The names that a scenario's body takes from its world.
 * @throws SpecMistake for a name that no scenario is given.
 */
export function scenarioParameters(title: string, body: ScenarioBody): (keyof WorldValues)[] {
  return takenNames(title, body).map((name) => {
    if (valueNames.includes(name as keyof WorldValues)) return name as keyof WorldValues;
    throw SpecMistake.of('unknown fixture', { name, hint: didYouMean(name, valueNames), known: valueNames.join(', ') });
  });
}
