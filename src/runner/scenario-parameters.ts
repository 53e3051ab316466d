import { type ScenarioBody, valueNames, type WorldValues } from '../scenario/index.ts';

/**
 * The names that a scenario's body takes from its world, from its first parameter, which must be a literal
 * destructuring pattern, as for Playwright's fixtures.
 */
export function scenarioParameters(body: ScenarioBody): (keyof WorldValues)[] {
  const [, pattern] = /^[^(]*\(\s*\{([^}]*)\}/.exec(Function.prototype.toString.call(body)) ?? [];
  const names = (pattern ?? '').split(',').map((part) => part.split(':')[0]?.trim() ?? '');
  return names.filter(Boolean).map((name) => {
    if (!valueNames.includes(name as keyof WorldValues))
      throw new Error(`unknown scenario parameter ${JSON.stringify(name)}; available: ${valueNames.join(', ')}`);
    return name as keyof WorldValues;
  });
}
