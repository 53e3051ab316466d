import { existsSync, readFileSync } from 'node:fs';
import { userAgent } from '../client/index.ts';
import { loadEnvironment } from '../config/index.ts';
import { type LoggedCall, outputFiles } from '../scenario/index.ts';
import { areaIds, areas } from '../spec/index.ts';

/** Facts about the whole run, as names and values, for all environments and for each. */
export interface RunFacts {
  readonly common: Readonly<Record<string, string>>;
  readonly environments: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export function runFacts(seed: string, environments: readonly string[], calls: readonly LoggedCall[]): RunFacts {
  return {
    common: { Seed: seed, 'User agent': userAgent, Node: process.version, Requests: String(calls.length) },
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
  const { run } = outputFiles();
  return existsSync(run) ? (JSON.parse(readFileSync(run, 'utf8')) as RunFacts) : { common: {}, environments: {} };
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
