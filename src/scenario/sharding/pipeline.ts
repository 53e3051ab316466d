import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { ConfigurationError } from '../../config/index.ts';
import { workFolder } from '../../config/project-root.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The variables that name a pipeline's run for all of its jobs: GitHub, GitLab, Jenkins, CircleCI, Azure. */
const runVariables = ['GITHUB_RUN_ID', 'CI_PIPELINE_ID', 'BUILD_TAG', 'CIRCLE_WORKFLOW_ID', 'BUILD_BUILDID'] as const;

/** The variables that name the commit, in the same order. */
const commitVariables = ['GITHUB_SHA', 'CI_COMMIT_SHA', 'GIT_COMMIT', 'CIRCLE_SHA1', 'BUILD_SOURCEVERSION'] as const;

/** The commit under test; `undefined` outside a pipeline and a git repository. */
export function commitOf(env: Variables = process.env, folder = workFolder): string | undefined {
  const given = firstOf(commitVariables, env);
  if (given) return given;
  const { status, stdout } = spawnSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * The seed that every shard of a run arrives at by itself: from the pipeline's run, otherwise from the commit.
 * @throws ConfigurationError when there is neither.
 */
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
