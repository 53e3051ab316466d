import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commitOf, sharedSeed } from './pipeline.ts';

const seeds: [title: string, env: Record<string, string>, commit: string | undefined, same: Record<string, string>][] =
  [
    ['the jobs of a pipeline', { GITHUB_RUN_ID: '7', GITHUB_JOB: 'a' }, 'c1', { GITHUB_RUN_ID: '7', GITHUB_JOB: 'b' }],
    ['GitLab', { CI_PIPELINE_ID: '7' }, undefined, { CI_PIPELINE_ID: '7' }],
    ['without a pipeline, a commit', {}, 'c1', {}],
  ];
for (const [title, env, commit, same] of seeds)
  test(`one seed for ${title}`, () => {
    assert.match(sharedSeed(env, commit), /^\d+$/);
    assert.equal(sharedSeed(env, commit), sharedSeed(same, commit));
    assert.notEqual(sharedSeed(env, commit), sharedSeed({ GITHUB_RUN_ID: '8' }, 'c2'));
  });

test('without a pipeline or a commit, --seed is asked for', () => {
  assert.throws(() => sharedSeed({}, ''), /add --seed with any number/);
});

test('the commit is the pipeline’s, or that of the repository', () => {
  assert.equal(commitOf({ CI_COMMIT_SHA: 'abc' }), 'abc');
  assert.equal(commitOf({}, '/'), undefined);
});
