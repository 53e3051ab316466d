import { hash } from 'node:crypto';
import { join } from 'node:path';
import { judge, type Middleware, redact } from '../client/index.ts';
import { fileRoles, readTextIfAny, replaceText } from '../config/files/index.ts';
import type { Environment } from '../config/index.ts';
import { type Configured, configuredIn } from './configured-data.ts';
import { stateFolder } from './output-folders.ts';

/** Minimum interval between two records of an acceptance, for other processes: this one knows each. */
const FRESH_MS = 300_000;

/** By the state folder too: what a dry run's service accepted, in a folder of its own, the real one did not. */
const accepted = new Map<string, number>();
const written = new Map<string, number>();

/** Remembers across runs when the environment's data was last accepted. */
export function acceptanceMemory(environment: Environment): Middleware {
  return async (call, next) => {
    const exchange = await next(call);
    const named = configuredIn(environment, call.args);
    const form = call.changes.size === 0 ? 'unchanged' : 'changed';
    if (named.length > 0 && judge(exchange, 'success', environment.successWhen) === undefined)
      remember(environment, keyOf(environment, call.operation.id, named, form), exchange.startedAt);
    return exchange;
  };
}

/** Whether the suite changed the headers of a request; an accepted one had its effect all the same. */
type Form = 'unchanged' | 'changed';

/** The last acceptance of an operation with this data; epoch, in ms. `undefined` if unknown. */
export function lastAccepted(
  environment: Environment,
  operation: string,
  named: readonly Configured[],
  form: Form = 'unchanged',
): number | undefined {
  const key = keyOf(environment, operation, named, form);
  const here = accepted.get(inFolder(key));
  if (here !== undefined) return here;
  try {
    const file = fileOf(environment, key);
    const at = Date.parse(readTextIfAny(file, fileRoles.accepted) ?? '');
    return Number.isNaN(at) ? undefined : at;
  } catch {
    return undefined;
  }
}

/** Whether a request with this data was ever accepted, also with headers that the suite changed. */
export function wasEverAccepted(environment: Environment, operation: string, named: readonly Configured[]): boolean {
  return (['unchanged', 'changed'] as const).some((form) => lastAccepted(environment, operation, named, form));
}

function remember(environment: Environment, key: string, at: number): void {
  const known = inFolder(key);
  accepted.set(known, at);
  if (at - (written.get(known) ?? Number.NEGATIVE_INFINITY) < FRESH_MS) return;
  written.set(known, at);
  try {
    replaceText(fileOf(environment, key), redact(new Date(at).toISOString()), fileRoles.accepted);
  } catch {
    // Without it, only a message is less informative.
  }
}

function keyOf({ name, caller }: Environment, operation: string, named: readonly Configured[], form: Form): string {
  return JSON.stringify([name, operation, caller.userId, named.map(({ key, value }) => [key, value]), form]);
}

function inFolder(key: string): string {
  return `${stateFolder()}\n${key}`;
}

function fileOf({ name }: Environment, key: string): string {
  return join(stateFolder(), 'accepted', name, hash('sha256', key).slice(0, 24));
}
