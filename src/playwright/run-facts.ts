import { spawnSync } from 'node:child_process';
import { fileRoles, readTextIfAny } from '../environment/files/index.ts';
import { loadEnvironment } from '../environment/index.ts';
import { workFolder } from '../environment/project-root.ts';
import { parsedJson, userAgent } from '../http/index.ts';
import { trafficOf } from '../run/ending/index.ts';
import { type LoggedCall, outputFiles, SEED_VARIABLE } from '../scenario/index.ts';
import { areaIds, areas } from '../service/index.ts';

/** Facts about a run, as names and values: common ones, and those of each environment. */
export interface RunFacts {
  readonly common: Readonly<Record<string, string>>;
  readonly environments: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The facts of a run that has just ended. */
export function runFacts(
  { startTime, status }: Pick<RunIdentity, 'status'> & { readonly startTime: Date },
  environments: readonly string[],
  calls: readonly LoggedCall[],
) {
  const seed = process.env[SEED_VARIABLE] ?? '';
  const run: RunIdentity = { seed, commit: commitOf() ?? null, startedAt: startTime.toISOString(), status };
  return {
    run,
    common: { Seed: seed, 'User agent': userAgent, Node: process.version, Requests: String(trafficOf(calls).requests) },
    environments: Object.fromEntries(environments.map((name) => [name, factsOf(name, calls)])),
  };
}

/** The facts of the last run; empty if there was none. */
export function readRunFacts(): RunFacts {
  // If a full disk cut the file short, it counts as missing.
  const found = parsedJson(readTextIfAny(outputFiles().run, fileRoles.output) ?? '{}');
  return { common: {}, environments: {}, ...(found as RunFacts | undefined) };
}

/** Facts about an environment: its addresses, its allowed effects, the number of its requests, and the `Server` headers of its responses. */
function factsOf(name: string, all: readonly LoggedCall[]): Record<string, string> {
  const calls = all.filter(({ environment }) => environment === name);
  const servers = [...new Set(calls.flatMap(({ server }) => server ?? []))].sort();
  const { addresses, allowedEffects } = loadEnvironment(name);
  return {
    ...Object.fromEntries(areaIds.map((area) => [areas[area].title, addresses[area].href])),
    'Allowed effects': [...allowedEffects].join(', '),
    Requests: String(trafficOf(calls).requests),
    ...(servers.length > 0 ? { Server: servers.join(', ') } : {}),
  };
}

export interface RunIdentity {
  readonly seed: string;
  /** The commit under test; `null` if unknown. */
  readonly commit: string | null;
  /** ISO 8601 time. */
  readonly startedAt: string;
  /** Playwright's status of the run. */
  readonly status: 'passed' | 'failed' | 'timedout' | 'interrupted';
}

/** The variables with the commit in GitHub, GitLab, Jenkins, CircleCI and Azure. */
const commitVariables = ['GITHUB_SHA', 'CI_COMMIT_SHA', 'GIT_COMMIT', 'CIRCLE_SHA1', 'BUILD_SOURCEVERSION'] as const;

/** The commit under test; `undefined` outside a pipeline and a git repository. */
export function commitOf(
  env: Readonly<Record<string, string | undefined>> = process.env,
  folder = workFolder,
): string | undefined {
  const given = commitVariables.map((name) => env[name]).find(Boolean);
  if (given) return given;
  const { status, stdout } = spawnSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
