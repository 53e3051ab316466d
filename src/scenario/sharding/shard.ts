import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { ConfigurationError, type Environment } from '../../config/index.ts';
import { workFolder } from '../../config/project-root.ts';
import { type AreaId, areaIds, operation, operationIds, operationsWith } from '../../spec/index.ts';

export const SHARD_VARIABLE = 'SEXTANT_SHARD';

/** One part of a run that is divided over several jobs: the `index`th of `count`, from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** `2/4`, as Playwright writes it; `undefined` when it isn't that. */
export function parseShard(text: string): Shard | undefined {
  const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  return shard.index >= 1 && shard.index <= shard.count ? shard : undefined;
}

export function shardOfRun(env = process.env): Shard | undefined {
  return parseShard(env[SHARD_VARIABLE] ?? '');
}

/** Whether tests of an environment may run on several machines at once: each has its own users, or changes nothing. */
export function isDivisible({ provisionUrl, allowedEffects }: Environment): boolean {
  return provisionUrl !== undefined || [...allowedEffects].every((effect) => effect === 'read');
}

/** The areas that act as the environment's users stay together: a block in one may affect another. Others stand by themselves. */
export function areasThatShareUsers(): readonly (readonly AreaId[])[] {
  const ofUsers = operationIds.map((id) => operation(id)).filter(({ headerSet }) => headerSet === 'user');
  const actAsUsers = new Set(ofUsers.map(({ area }) => area));
  return [[...actAsUsers], ...areaIds.filter((area) => !actAsUsers.has(area)).map((area) => [area])];
}

/** The areas that a run in `areas` must have for itself, in their order: what affects other areas needs all that act as the users. */
export function areasHeldBy(areas: readonly AreaId[]): AreaId[] {
  const isAffecting = operationsWith('affectsOthers').some(({ area }) => areas.includes(area));
  const held = isAffecting ? areasThatShareUsers()[0]?.concat(areas) : areas;
  return areaIds.filter((area) => held?.includes(area));
}

/** The areas of one shard of an environment whose users are shared; every shard divides alike, so together they cover each area once. */
export function areasOfShard({ index, count }: Shard, groups = areasThatShareUsers()): AreaId[] {
  return groups.flatMap((group, position) => (position % count === index - 1 ? group : []));
}

/** The areas that a run of one shard in these environments is limited to; `undefined` when its tests may be divided freely. */
export function limitOfShard(shard: Shard, environments: readonly Environment[]): readonly AreaId[] | undefined {
  return environments.every(isDivisible) ? undefined : areasOfShard(shard);
}

/** The tags of the tests of some areas; a scenario of all areas goes with those that share users. */
export function areaTags(areas: readonly AreaId[]): (AreaId | 'all')[] {
  const [sharing = []] = areasThatShareUsers();
  return areas.some((area) => sharing.includes(area)) ? [...areas, 'all'] : [...areas];
}

type Variables = Readonly<Record<string, string | undefined>>;

/** The variables that name a pipeline's run for all of its jobs: GitHub, GitLab, Jenkins, CircleCI, Azure. */
const runVariables = ['GITHUB_RUN_ID', 'CI_PIPELINE_ID', 'BUILD_TAG', 'CIRCLE_WORKFLOW_ID', 'BUILD_BUILDID'] as const;

const commitVariables = ['GITHUB_SHA', 'CI_COMMIT_SHA', 'GIT_COMMIT', 'CIRCLE_SHA1', 'BUILD_SOURCEVERSION'] as const;

/** The commit under test; `undefined` outside a pipeline and a git repository. */
export function commitOf(env: Variables = process.env, folder = workFolder): string | undefined {
  const given = firstOf(commitVariables, env);
  if (given) return given;
  const { status, stdout } = spawnSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** From the pipeline's run, otherwise from the commit: the same in every shard. @throws ConfigurationError without either. */
export function sharedSeed(env: Variables = process.env, commit = commitOf(env)): string {
  const run = firstOf(runVariables, env) ?? commit;
  if (!run)
    throw new ConfigurationError(
      'The shards of a run need the same seed, and neither a pipeline nor a git commit gives one here: add --seed with any number.',
    );
  return String(createHash('sha256').update(run).digest().readUInt32BE());
}

function firstOf(names: readonly string[], env: Variables): string | undefined {
  return names.map((name) => env[name]).find(Boolean);
}
