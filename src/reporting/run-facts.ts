import { userAgent } from '../client/index.ts';
import { fileRoles, readTextIfAny } from '../config/files/index.ts';
import { loadEnvironment } from '../config/index.ts';
import { type LoggedCall, outputFiles } from '../scenario/index.ts';
import { areaIds, areas } from '../spec/index.ts';
import type { RunIdentity } from './run-identity.ts';

/** Facts about the whole run, as names and values, for all environments and for each. */
export interface RunFacts {
  readonly common: Readonly<Record<string, string>>;
  readonly environments: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Absent in the facts of a run of an older version. */
  readonly run?: RunIdentity;
}

export function runFacts(run: RunIdentity, environments: readonly string[], calls: readonly LoggedCall[]): RunFacts {
  return {
    run,
    common: { Seed: run.seed, 'User agent': userAgent, Node: process.version, Requests: String(calls.length) },
    environments: Object.fromEntries(
      environments.map((name) => [
        name,
        factsOf(
          name,
          calls.filter(({ environment }) => environment === name),
        ),
      ]),
    ),
  };
}

/** The facts of the last run; empty if there was none. */
export function readRunFacts(): RunFacts {
  const none = { common: {}, environments: {} };
  const text = readTextIfAny(outputFiles().run, fileRoles.output);
  try {
    return text === undefined ? none : { ...none, ...(JSON.parse(text) as RunFacts) };
  } catch {
    // Half a file, on a full disk, says nothing.
    return none;
  }
}

function factsOf(name: string, calls: readonly LoggedCall[]): Record<string, string> {
  const { addresses, allowedEffects } = loadEnvironment(name);
  const servers = [...new Set(calls.flatMap(({ server }) => server ?? []))];
  return {
    ...Object.fromEntries(areaIds.map((area) => [areas[area].title, addresses[area].href])),
    'Allowed effects': [...allowedEffects].join(', '),
    Requests: String(calls.length),
    ...(servers.length > 0 ? { Server: servers.join(', ') } : {}),
  };
}
