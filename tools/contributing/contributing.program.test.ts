import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  channelSkeleton,
  type OperationWish,
  operationSkeleton,
  scenarioSkeleton,
} from '../../src/cli/skeletons/skeletons.ts';
import { additions, filledIn, operationFilledIn } from './additions.ts';
import { Copy } from './copy.ts';
import { stepOf, steps } from './page.ts';

/*
 * CONTRIBUTING's additions, made one after the other in one copy of the project: a missing edit fails, each
 * failure names its cure, and in the end everything passes. What `sextant new` writes stands beside them for a
 * while: it compiles, is formatted, and is red until it is filled in. The tests build on each other.
 */
const copy = new Copy();

/** Hermetic tests that go over all that an addition extends, by folder. */
const OVER_ALL = Object.entries({
  fixtures: 'route',
  'reference-service': '*',
  schemas: '*',
  'src/cli': 'mistakes program commands/doctor commands/export',
  'src/client': 'redaction/redactor requests/prepare verdict/judge',
  'src/config': 'load contract/documents',
  'src/fault-injection': 'drill likely-cause matrix readings',
  'src/monitor/alerting': 'notice-texts channels/http-channels',
  'src/reporting': 'summary allure/labels',
  'src/runner': 'auth-specs contract safety verdicts',
  'src/scenario': 'consent/consent',
  'src/spec': '*',
  'src/survey': 'assumptions export/export export/openapi',
  tools: 'new-verdict deploy/metric-names layers/layers pages/pages',
}).flatMap(([folder, names]) => names.split(' ').map((name) => `${folder}/${name}.test.ts`));

let failed: string | undefined;

/** A test that builds on those before it: when one of them failed, it would only say so again. */
function step(name: string, run: () => void): void {
  test(name, (t) => {
    if (failed) return t.skip(`"${failed}" failed`);
    failed = name;
    run();
    failed = undefined;
  });
}

/** Makes the edits of an addition, or those of some steps of its section. */
function apply(heading: keyof typeof additions, ...some: readonly number[]): void {
  const named = steps.get(heading) ?? [];
  copy.apply(additions[heading].filter(({ file }) => some.length === 0 || some.includes(stepOf(file, named))));
}

/** Runs one test file of the copy, or those tests in it whose titles begin so; returns its output if it fails. */
function failureOf(file: string, titles = ''): string {
  const { ok, output } = copy.node('--test', `--test-name-pattern=^${titles}`, file);
  assert.equal(ok, false, `${file} passed`);
  return output;
}

step('an operation, a reading, a verdict: the compiler asks for what is missing, and for nothing else', () => {
  apply('an operation', 1);
  apply('an open question or a reading', 1);
  apply('a verdict', 1);
  const verdicts = join(copy.folder, 'src/client/verdict/verdicts.ts');
  const whole = readFileSync(verdicts, 'utf8');
  const at = whole.indexOf('  postponed: {');
  const lacking = whole.slice(at).replace(/ {4}health: 'unknown',\n/, '');
  writeFileSync(verdicts, whole.slice(0, at) + lacking);
  const { ok, output } = copy.node('tools/check.ts', 'types');
  writeFileSync(verdicts, whole);
  assert.equal(ok, false);
  const complaints = output.split('\n').filter((line) => line.includes('error TS'));
  const asked = complaints.map((line) => line.replace(/^([\w/-]+\.ts).*?(xml|health|pinStory|storyPin).*/, '$1: $2'));
  assert.deepEqual(
    [...new Set(asked)],
    [
      'reference-service/handlers/index.ts: pinStory',
      'reference-service/readings/responses.ts: xml',
      'src/client/verdict/verdicts.ts: health',
      'src/spec/samples.ts: storyPin',
    ],
  );
  apply('an operation', 2, 3);
  apply('an open question or a reading', 2);
});

step('an operation: the coverage asks for a scenario, and the kill matrix for a fault', () => {
  const uncovered = failureOf('src/runner/contract.test.ts');
  assert.match(uncovered, /no scenario calls these: add one to tests\/scenarios\//);
  assert.match(uncovered, /'pinStory'/);
  apply('an operation', 4);
  copy.apply(operationFilledIn);
  const idle = failureOf('src/fault-injection/matrix.test.ts');
  assert.match(idle, /'pin story'/);
  assert.match(idle, /add a fault that it catches to reference-service\/faults\//);
  apply('an operation', 5);
});

step('an area: an environment without its address is refused with the key', () => {
  apply('an area', 1);
  const { ok, output } = copy.node('src/cli/sextant.ts', 'environments', 'check', 'local');
  assert.equal(ok, false);
  assert.match(output, /PHOTO_URL +is missing; expected: base address of Photos/);
  apply('an area', 2);
});

step('a survey question: the survey of the reference service asks for its answer', () => {
  apply('a survey question', 1);
  const unstated = failureOf('src/survey/variants.test.ts', 'the survey of local');
  assert.match(unstated, /'evaluate request-id = x-request-id'/);
  assert.match(unstated, /reference-service\/assumptions\/ state: change them, then `npm run pages`/);
  apply('a survey question', 2);
});

step('the other additions are made', () => {
  apply('an environment');
  apply('an environment key');
  apply('an alert channel');
  apply('a fault');
  apply('a command');
  apply('a form of a secret');
});

const sextant = (...args: string[]) => copy.node('src/cli/sextant.ts', ...args);
let takeBackSkeletons = () => {};

/** What `sextant new operation` writes for one in stories that only reads, but for `changes`. */
function operation(name: string, path: string, changes: Partial<OperationWish> = {}) {
  const usual = { area: 'stories', method: 'GET', headers: 'user', effect: 'read' } as const;
  return operationSkeleton({ ...usual, name, path, ...changes });
}

/** What else `sextant new` writes: a title that needs several lines, channels, operations with other headers and arguments. */
const long = 'a user whose story is loved by many others sees every one';
const again = { method: 'POST', effect: 'reversible', request: 'storyReference' } as const;
const otherSkeletons = [
  scenarioSkeleton({ name: long, area: 'gameDesign', effect: 'irreversible' }, new Map()),
  ...['beeper', 'zulip'].map(channelSkeleton),
  operation('showPins', '/v1/stories/pins/{storyId}/{page}'),
  operation('loveAgain', '/v1/stories/again', again),
];
const listFlags = '--area features --path /v1/apikey/flags --headers flag'.split(' ');

step('a scenario, operations and channels are written, and what is to be done next is said', () => {
  takeBackSkeletons = copy.remember();
  const scenario = sextant('new', 'scenario', 'love a story, then look', '--area', 'stories');
  assert.ok(scenario.ok, scenario.output);
  assert.match(
    scenario.output,
    /^wrote tests\/scenarios\/love-a-story-then-look\.spec\.ts\n\nNext:\n- write the story in/,
  );
  const written = sextant('new', 'operation', 'listFlags', ...listFlags);
  assert.ok(written.ok, written.output);
  copy.apply(otherSkeletons.flatMap(({ changes }) => changes));
});

step('a scenario that is written is green; one that is not, red; no handler, no success', () => {
  const file = 'tests/scenarios/love-a-story-then-look.spec.ts';
  copy.apply([
    filledIn(file, 'stories.reportOptions({ language })', '{ stories, language }'),
    filledIn('tests/scenarios/show-pins.spec.ts', "stories.showPins({ storyId: 'a', page: '1' })"),
  ]);
  const checked = sextant('check', '--env', 'local', '--grep', `love a|pin story|list flags|show pins|${long}`);
  assert.equal(checked.ok, false);
  for (const said of [
    /list-flags\.spec\.ts:5: not written yet: call listFlags, and end the call in what should come of it; write it, and delete this line/,
    /love-again\.spec\.ts:5: not written yet: /,
    /every-one\.spec\.ts:8: not written yet: /,
    /^passed .*love a story/m,
    /^passed .*pin story/m,
    /^unknown .*list flags/m,
    /501/,
  ])
    assert.match(checked.output, said);
});

step('a spec that does not load ends `sextant test` as not judged', () => {
  const file = join(copy.folder, 'tests/scenarios/broken.spec.ts');
  writeFileSync(file, "throw new Error('at the top');\n");
  const { status, output } = sextant('test', '--env', 'local', '--grep', 'love');
  rmSync(file);
  assert.equal(status, 3, output);
  assert.match(output, /at the top[\s\S]*broken\.spec\.ts:1/);
});

step('the check and the tests name the command that makes anew what is made', () => {
  const others = ['layers', 'generated pages', 'docs: commands and paths'];
  const { ok, output } = copy.node('tools/check.ts', 'types', 'lint, format, import cycles', ...others);
  assert.equal(ok, false);
  const failed = [...output.matchAll(/^FAILED (.*) \(/gm)].map(([, name]) => name);
  assert.deepEqual(failed.sort(), ['generated pages', 'lint, format, import cycles'], output);
  const unformatted = [...output.matchAll(/^(\S+\.\w+)\S* (?:format|lint|assist|suppressions|parse)\b/gm)].map(
    ([, file]) => file,
  );
  const ofAdditions = /\b(readings|strangers)\b/;
  assert.deepEqual(
    unformatted.filter((file = '') => !ofAdditions.test(file)),
    [],
  );
  takeBackSkeletons();
  const matrix = failureOf('src/fault-injection/matrix.test.ts');
  const cures = new Set(
    [...`${output}${matrix}`.matchAll(/`npm run ([\w:]+(?: -- --\w+)?)`/g)].map(([, name = '']) => name),
  );
  assert.deepEqual([...cures].sort(), ['drill:matrix', 'drill:matrix -- --missing', 'format', 'pages']);
  cures.delete('drill:matrix');
  // README has the figures of the drill.
  for (const cure of [...cures].sort((a, b) => Number(a === 'pages') - Number(b === 'pages'))) {
    const ran = copy.npmRun(cure);
    assert.ok(ran.ok, ran.output);
    assert.doesNotMatch(ran.output, /warning/i);
  }
  const again = copy.node('tools/check.ts', 'generated pages', 'docs: commands and paths');
  assert.ok(again.ok, again.output);
});

step('with all of them, the first steps with a new environment and the hermetic tests hold', () => {
  // By areas and keys, which are asked for.
  const names = '--test-name-pattern=^(from nothing|bare sextant)';
  const guided = copy.node('--test', names, 'src/cli/connect/guided/guided-start.program.test.ts');
  assert.ok(guided.ok, guided.output);
  const hermetic = copy.node('tools/node-tests.ts', 'hermetic', ...OVER_ALL);
  assert.ok(hermetic.ok, hermetic.output.slice(Math.max(0, hermetic.output.indexOf('\nFAILED'))));
  assert.match(sextant('areas').output, /^photos$/m);
});
