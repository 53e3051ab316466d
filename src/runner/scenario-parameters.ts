import { SpecMistake } from '../client/index.ts';
import { didYouMean } from '../config/did-you-mean.ts';
import { type ScenarioBody, valueNames, type WorldValues } from '../scenario/index.ts';

/**
 * The names that a scenario's body takes from its world, from its first parameter, which must be a literal
 * destructuring pattern, as for Playwright's fixtures.
 * @throws SpecMistake
 */
export function scenarioParameters(title: string, body: ScenarioBody): (keyof WorldValues)[] {
  const source = Function.prototype.toString.call(body);
  const [, pattern] = /^[^(]*\(\s*\{([^}]*)\}/.exec(source) ?? [];
  if (pattern === undefined && !/^[^(]*\(\s*\)/.test(source)) throw SpecMistake.of('no names taken', { title });
  const names = (pattern ?? '').split(',').map((part) => part.split(':')[0]?.trim() ?? '');
  return names.filter(Boolean).map((name) => {
    if (/^\.\.\.|=/.test(name)) throw SpecMistake.of('no names taken', { title });
    if (!valueNames.includes(name as keyof WorldValues)) {
      const hint = didYouMean(name, valueNames);
      throw SpecMistake.of('unknown fixture', { name, hint, known: valueNames.join(', ') });
    }
    return name as keyof WorldValues;
  });
}
