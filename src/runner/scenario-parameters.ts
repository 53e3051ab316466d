import { SpecMistake } from '../client/index.ts';
import { didYouMean } from '../config/did-you-mean.ts';
import { type ScenarioBody, takenNames, valueNames, type WorldValues } from '../scenario/index.ts';

/**
 * The names that a scenario's body takes from its world.
 * @throws SpecMistake for a name that no scenario is given.
 */
export function scenarioParameters(title: string, body: ScenarioBody): readonly (keyof WorldValues)[] {
  const known = readBefore.get(body) ?? read(title, body);
  readBefore.set(body, known);
  return known;
}

/** A monitor plays the same scenarios for as long as it runs. */
const readBefore = new WeakMap<ScenarioBody, readonly (keyof WorldValues)[]>();

function read(title: string, body: ScenarioBody): readonly (keyof WorldValues)[] {
  return takenNames(title, body).map((name) => {
    if (valueNames.includes(name as keyof WorldValues)) return name as keyof WorldValues;
    throw SpecMistake.of('unknown fixture', { name, hint: didYouMean(name, valueNames), known: valueNames.join(', ') });
  });
}
