import { type ScenarioBody, valueNames, type WorldValues } from '../scenario/index.ts';

/**
 * The names that a scenario's body takes out of its world, read off its first parameter, which must be a literal
 * pattern. Playwright reads its fixtures in the same way.
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
