import { didYouMean } from '../config/index.ts';
import type { Modules } from './modules.ts';

/** Why a probe wasn't made. */
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
