import type { Environment } from '../config/index.ts';
import { whySkipped } from '../scenario/index.ts';
import type { Ready } from './environment-store.ts';
import type { NamedScenario } from './modules.ts';

/** The scenarios that an environment allows. */
export function allowedIn(scenarios: readonly NamedScenario[], environment: Environment): readonly NamedScenario[] {
  return scenarios.filter(({ scenario: { title, details } }) => !whySkipped(title, details.tag, environment));
}

/** Why an environment allows none of `scenarios`, with the key that would change it. */
export function whyNoneAllowed(scenarios: readonly NamedScenario[], { environment, restriction }: Ready): string {
  const needed = [...new Set(scenarios.map(({ effect }) => effect))].join(' or ');
  if (restriction) return `Nothing was sent: this module is ${needed}. ${restriction}`;
  const { name, allowedEffects } = environment;
  return `Nothing was sent: this module is ${needed}, and ${name} has ALLOWED_EFFECTS=${[...allowedEffects].join(',')}.`;
}
