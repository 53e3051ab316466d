import { didYouMean, type Environment } from '../config/index.ts';
import { whySkipped } from '../scenario/index.ts';
import type { Ready } from './environment-store.ts';
import type { Modules, NamedScenario } from './modules.ts';

export interface Refusal {
  readonly status: 400 | 403 | 500 | 503;
  /** One or more lines. */
  readonly reason: string;
}

/** More names are counted instead. */
const MOST_NAMES = 50;
/** A longer name is cut, in characters. */
const LONGEST_NAME = 100;

export function unknownTarget(given: string, known: readonly string[]): Refusal {
  if (given === '') return { status: 400, reason: `target is missing. Targets: ${listed(known)}.` };
  return { status: 400, reason: `No target ${shownName(given)}${hint(given, known)}. Targets: ${listed(known)}.` };
}

export function unknownModule(given: string, { names }: Modules): Refusal {
  return { status: 400, reason: `No module ${shownName(given)}${hint(given, names)}. Modules: ${listed(names)}.` };
}

function shownName(given: string): string {
  return JSON.stringify(given.length > LONGEST_NAME ? `${given.slice(0, LONGEST_NAME)}…` : given);
}

function hint(given: string, known: readonly string[]): string {
  return didYouMean(given.slice(0, LONGEST_NAME), known);
}

function listed(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES;
  return [...names.slice(0, MOST_NAMES), ...(rest > 0 ? [`and ${rest} more (GET /targets)`] : [])].join(', ') || 'none';
}

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
