import { hash } from 'node:crypto';
import { join } from 'node:path';
import { parsedJson, redact } from '../../client/index.ts';
import { fileRoles, readTextIfAny, replaceText } from '../../config/files/index.ts';
import { attempt, counted, type Environment } from '../../config/index.ts';
import { stateFolder } from '../../scenario/index.ts';
import type { Score } from '../outcome.ts';
import { wireFaults } from '../wire/faults.ts';
import type { WireOutcome } from './options.ts';

interface KeptDrill {
  readonly environment: string;
  /** Epoch, in ms. */
  readonly drilledAt: number;
  /** What it depends on, as a hash. */
  readonly settings: string;
  readonly isComplete: boolean;
  readonly requests: number;
  readonly durationMs: number;
  readonly outcomes: readonly WireOutcome[];
}

const DAY_MS = 86_400_000;

/** The part of an environment's settings that a drill's results depend on, and the table of faults. */
export function settingsOf(environment: Environment): string {
  const { addresses, caller, friend, data, allowedEffects, readings, observed, successWhen, readProfile } = environment;
  const { consistencyTimeoutMs, requestTimeoutMs, slowAfterMs, drift, provisionUrl, facts } = environment;
  const users = [caller.clientId, caller.userId, friend.userId, friend.accessToken !== undefined];
  const learned = [...(observed?.values() ?? [])].map(({ operation, answers }) => [operation, Object.keys(answers)]);
  const times = [consistencyTimeoutMs, requestTimeoutMs, slowAfterMs];
  const known = [readings, learned, facts !== undefined, successWhen?.text, readProfile];
  const table = wireFaults(readProfile).map(({ name }) => name);
  const parts = [addresses, users, data, [...allowedEffects].sort(), ...known];
  return hash('sha256', JSON.stringify([parts, times, drift, provisionUrl, table])).slice(0, 16);
}

/** The last drill of an environment; `undefined` where there is none that can be read. */
export function keptDrill(environment: string): KeptDrill | undefined {
  const text = attempt(() => readTextIfAny(fileOf(environment), fileRoles.state));
  const found = typeof text === 'string' ? (parsedJson(text) as KeptDrill | null | undefined) : undefined;
  return Array.isArray(found?.outcomes) && typeof found.drilledAt === 'number' ? found : undefined;
}

/** @throws FileTrouble */
export function keepDrill(drill: KeptDrill): void {
  replaceText(fileOf(drill.environment), redact(`${JSON.stringify(drill)}\n`), fileRoles.state);
}

/** Percent: 0 to 100, one decimal, truncated. */
export function wireScore(outcomes: readonly WireOutcome[]): Score {
  const caught = outcomes.filter(({ became }) => became === 'caught').length;
  return { caught, of: outcomes.length, percent: Math.floor((1_000 * caught) / Math.max(1, outcomes.length)) / 10 };
}

/** `this gate catches 141 of 152 documented faults on staging (drilled 12 days ago)`; none before a complete drill. */
export function gateLines(environment: string, now: number): string[] {
  const drill = keptDrill(environment);
  if (!drill?.isComplete) return [];
  const { caught, of } = wireScore(drill.outcomes);
  const days = Math.floor((now - drill.drilledAt) / DAY_MS);
  const when = days < 1 ? 'today' : `${counted(days, 'day')} ago`;
  return [`this gate catches ${caught} of ${of} documented faults on ${environment} (drilled ${when})`];
}

function fileOf(environment: string): string {
  return join(stateFolder(), 'drill', `${environment}.json`);
}
