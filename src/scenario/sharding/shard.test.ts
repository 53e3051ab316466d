import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Environment } from '../../config/index.ts';
import { type AreaId, areaIds, type Effect } from '../../spec/index.ts';
import { areasOfShard, areasThatShareUsers, commitOf, limitOfShard, parseShard, sharedSeed } from './shard.ts';

const texts: [text: string, expected: ReturnType<typeof parseShard>][] = [
  ['1/1', { index: 1, count: 1 }],
  ['2/4', { index: 2, count: 4 }],
  ['0/4', undefined],
  ['5/4', undefined],
  ['1/0', undefined],
  ['1', undefined],
  ['-1/4', undefined],
  ['a/b', undefined],
];
for (const [text, expected] of texts) test(`shard: ${text}`, () => assert.deepEqual(parseShard(text), expected));

test('the areas that act as users stay together, the others stand by themselves', () => {
  const groups = areasThatShareUsers();
  const areTogether = (...ids: AreaId[]) => groups.some((group) => ids.every((id) => group.includes(id)));
  assert.ok(areTogether('friends', 'stories', 'profile', 'storage'));
  assert.ok(!areTogether('friends', 'gameDesign') && !areTogether('friends', 'features'));
  assert.ok(!areTogether('gameDesign', 'features'));
  assert.deepEqual(groups.flat().sort(), [...areaIds].sort());
});

for (const count of [1, 2, 3, 4, 9]) {
  test(`${count} shards cover each area once`, () => {
    const all = Array.from({ length: count }, (_, index) => areasOfShard({ index: index + 1, count })).flat();
    assert.deepEqual(all.sort(), [...areaIds].sort());
  });
}

const environment = (allowed: readonly Effect[], provisionUrl?: URL) =>
  ({ allowedEffects: new Set(allowed), ...(provisionUrl ? { provisionUrl } : {}) }) as unknown as Environment;
const provisioned = environment(['read', 'reversible'], new URL('http://127.0.0.1:1/'));
const shared = environment(['read', 'reversible']);
const readOnly = environment(['read']);

const second = areasOfShard({ index: 2, count: 3 });
const limits: [title: string, environments: Environment[], expected: ReturnType<typeof limitOfShard>][] = [
  ['with a provisioner, freely', [provisioned], undefined],
  ['where nothing is changed, freely', [readOnly], undefined],
  ['users that are shared, by area', [shared], second],
  ['one of several shares its users, by area', [provisioned, shared], second],
];
for (const [title, environments, expected] of limits)
  test(`divided ${title}`, () => assert.deepEqual(limitOfShard({ index: 2, count: 3 }, environments), expected));

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
