import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { judge, type Middleware, redact } from '../client/index.ts';
import { fileRoles, readTextIfAny, replaceText } from '../config/files/index.ts';
import type { Environment } from '../config/index.ts';
import { type Configured, configuredIn } from './configured-data.ts';
import { stateFolder } from './output-folders.ts';

/** Minimum interval between two records of an acceptance. */
const FRESH_MS = 60_000;

const written = new Map<string, number>();

/** Remembers across runs when the environment's data was last accepted. */
export function acceptanceMemory(environment: Environment): Middleware {
  return async (call, next) => {
    const exchange = await next(call);
    const named = call.changes.size === 0 ? configuredIn(environment, call.args) : [];
    if (named.length > 0 && judge(exchange, 'success', environment.successWhen) === undefined)
      remember(fileOf(environment, call.operation.id, named), exchange.startedAt);
    return exchange;
  };
}

/** The last acceptance of an operation with this data; epoch, in ms. `undefined` if unknown. */
export function lastAccepted(
  environment: Environment,
  operation: string,
  named: readonly Configured[],
): number | undefined {
  try {
    const at = Date.parse(readTextIfAny(fileOf(environment, operation, named), fileRoles.accepted) ?? '');
    return Number.isNaN(at) ? undefined : at;
  } catch {
    return undefined;
  }
}

function remember(file: string, at: number): void {
  if (at - (written.get(file) ?? Number.NEGATIVE_INFINITY) < FRESH_MS) return;
  written.set(file, at);
  try {
    replaceText(file, redact(new Date(at).toISOString()), fileRoles.accepted);
  } catch {
    // Without it, only a message is less informative.
  }
}

function fileOf({ name, caller }: Environment, operation: string, named: readonly Configured[]): string {
  const what = JSON.stringify([operation, caller.userId, named.map(({ key, value }) => [key, value])]);
  return join(stateFolder(), 'accepted', name, createHash('sha256').update(what).digest('hex').slice(0, 24));
}
