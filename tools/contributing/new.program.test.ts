import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { channelSkeleton } from '../../src/cli/skeletons/channel.ts';
import { scenarioSkeleton } from '../../src/cli/skeletons/scenario.ts';
import { plainEnvironment } from '../../src/testing/programs/plain-environment.ts';
import { copyOnOwnPorts } from './copy.ts';

/*
 * `sextant new` in a copy of the project: what it writes compiles, is formatted, and is red until it is filled in. The tests
 * build on each other.
 */
const copy = await copyOnOwnPorts();
after(() => copy.remove());

const sextant = (...args: string[]) => copy.node('src/cli/sextant.ts', ...args);
const playwright = (file: string) =>
  copy.node('node_modules/@playwright/test/cli.js', 'test', '--project=local', '--reporter=line', file);

test('a scenario, an operation and a channel are written, and what is to be done next is said', () => {
  const scenario = sextant('new', 'scenario', 'love a story, then look', '--area', 'stories');
  assert.ok(scenario.ok, scenario.output);
  assert.match(
    scenario.output,
    /^wrote tests\/scenarios\/love-a-story-then-look\.spec\.ts\n\nNext:\n- write the story in/,
  );
  const long = 'a user whose story is loved by many others sees every one';
  copy.apply(scenarioSkeleton({ name: long, area: 'gameDesign', effect: 'irreversible' }, new Map()).changes);
  for (const name of ['pager', 'zulip']) copy.apply(channelSkeleton(name).changes);
  for (const operation of [
    'pinStory --area stories --method POST --path /v1/stories/pin --request storyPin --effect irreversible',
    'showPins --area stories --path /v1/stories/pins/{storyId}/{page}',
    'loveAgain --area stories --method POST --path /v1/stories/again --request storyReference --effect reversible',
    'listFlags --area features --path /v1/apikey/flags --headers flag',
  ]) {
    const { ok, output } = sextant('new', 'operation', ...operation.split(' '));
    assert.ok(ok, output);
  }
});

test('all of it compiles', () => {
  assert.deepEqual(copy.types(), { ok: true, output: '' });
});

test('all of it is formatted, with sorted imports, and has no lint', () => {
  const { ok, output } = copy.lint();
  assert.ok(ok, output);
});

test('the check is red with the line of each scenario', () => {
  const { ok, output } = copy.node('tools/specs/check-specs.ts');
  assert.equal(ok, false);
  assert.deepEqual(
    output
      .split('\n')
      .map((line) => /^(tests\/scenarios\/[\w-]+\.spec\.ts:\d+): not written yet: /.exec(line)?.[1])
      .filter(Boolean),
    [
      'tests/scenarios/a-user-whose-story-is-loved-by-many-others-sees-every-one.spec.ts:8',
      'tests/scenarios/list-flags.spec.ts:5',
      'tests/scenarios/love-a-story-then-look.spec.ts:5',
      'tests/scenarios/love-again.spec.ts:5',
      'tests/scenarios/pin-story.spec.ts:5',
      'tests/scenarios/show-pins.spec.ts:5',
    ],
  );
});

const reason =
  /tests\/scenarios\/love-a-story-then-look\.spec\.ts:5: not written yet: call stories, and end each call in what should come of it; write it, and delete this line/;

test('the scenario is red in both runners, and says that it is not written yet', () => {
  const checked = sextant('check', '--env', 'local', '--scenario', 'love a story*');
  assert.equal(checked.ok, false);
  assert.match(checked.output, reason);
  assert.match(checked.output, /^unknown/m);
  const played = playwright('tests/scenarios/love-a-story-then-look.spec.ts');
  assert.equal(played.ok, false, played.output);
  assert.match(played.output, reason);
});

test('a scenario that is filled in is green in both', () => {
  const file = join(copy.folder, 'tests/scenarios/love-a-story-then-look.spec.ts');
  const text = readFileSync(file, 'utf8')
    .replace(', unwritten', '')
    .replace('async ({ stories })', 'async ({ stories, language })')
    .replace(/ {2}\/\/ await.*\n.*\n/, '  await stories.reportOptions({ language }).succeeds();\n');
  writeFileSync(file, text);
  const checked = sextant('check', '--env', 'local', '--scenario', 'love a story*');
  assert.ok(checked.ok, checked.output);
  const played = playwright('tests/scenarios/love-a-story-then-look.spec.ts');
  assert.ok(played.ok, played.output);
});

test('an operation that is not written yet answers nothing that a scenario could take for a success', () => {
  const file = join(copy.folder, 'tests/scenarios/show-pins.spec.ts');
  writeFileSync(
    file,
    readFileSync(file, 'utf8')
      .replace(', unwritten', '')
      .replace(/ {2}\/\/ await.*\n.*\n/, "  await stories.showPins({ storyId: 'a', page: '1' }).succeeds();\n"),
  );
  const { ok, output } = sextant('check', '--env', 'local', '--scenario', 'show pins');
  assert.equal(ok, false);
  assert.match(output, /501/);
});

test('a spec that does not load ends `sextant test` as not judged', () => {
  const file = join(copy.folder, 'tests/scenarios/broken.spec.ts');
  writeFileSync(file, "throw new Error('at the top');\n");
  const args = ['src/cli/sextant.ts', 'test', '--env', 'local', '--grep', 'love'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: copy.folder,
    encoding: 'utf8',
    env: plainEnvironment(),
  });
  rmSync(file);
  assert.equal(status, 3, stdout + stderr);
  assert.match(stdout + stderr, /at the top[\s\S]*broken\.spec\.ts:1/);
});

test('where it is not a checkout, nothing is written, and one line says so', () => {
  rmSync(join(copy.folder, 'tools/check.ts'));
  const { ok, output } = sextant('new', 'channel', 'other');
  assert.equal(ok, false);
  assert.match(output, /^tools\/check\.ts is missing: this is not a checkout of the project\. .*\n$/);
});
