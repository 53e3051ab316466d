import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { channelSkeleton, scenarioSkeleton } from '../../src/cli/skeletons/skeletons.ts';
import { additions, filledIn, lacking, operation, operationFilledIn } from './additions.ts';
import { Copy } from './copy.ts';
import { stepOf, steps } from './page.ts';

/*
 * CONTRIBUTING's additions, made one after the other in one copy of the project: a missing edit fails, each
 * failure names its cure, and in the end everything passes. What `sextant new` writes stands beside them for a
 * while: it compiles, is formatted, and is red until it is filled in. The tests build on each other.
 */
const copy = new Copy();
const sextant = (...args: string[]) => copy.node('src/cli/sextant.ts', ...args);

/** Hermetic tests that go over all that an addition extends, by folder. */
const OVER_ALL = Object.entries({
  'reference-service': '*',
  schemas: '*',
  'src/cli': 'program commands/doctor commands/documents',
  'src/client': 'requests/prepare verdict/judge',
  'src/config': 'load contract/documents',
  'src/fault-injection': 'likely-cause matrix readings',
  'src/monitor/alerting': 'notice-texts channels/http-channels',
  'src/reporting': 'summary allure/labels',
  'src/runner': 'auth-specs contract safety verdicts',
  'src/scenario': 'consent/consent',
  'src/spec': '*',
  'src/survey': 'export/export export/openapi',
  tools: 'new-verdict deploy/metric-names layers/layers pages/pages',
}).flatMap(([folder, names]) => names.split(' ').map((name) => `${folder}/${name}.test.ts`));

/** Those tests of other files that go over an addition, by the beginnings of their titles. */
const OF_OTHERS = {
  // By areas and keys, which are asked for.
  'from nothing': 'src/cli/connect/guided/guided-start.program.test.ts',
  'a secret is masked in every spelling': 'src/engine/redaction/spellings.test.ts',
};

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

/** Runs the tests with these words in their titles, all files in one process; returns the output of those that fail. */
function failureOf(titles: string, ...files: string[]): string {
  const { ok, output } = copy.tests(titles, ...files);
  assert.equal(ok, false, `${titles}: passed`);
  return output;
}

step('an area: an environment without its address is refused with the key', () => {
  apply('an area', 1);
  const { ok, output } = sextant('environments', 'check', 'local');
  assert.equal(ok, false);
  assert.match(output, /PHOTO_URL +is missing; expected: base address of Photos/);
  apply('an area', 2);
});

step('all the others are made, but for what tests ask for', () => {
  apply('an operation', 1, 2, 3);
  copy.apply(operationFilledIn);
  apply('a survey question', 1);
  const { 'an operation': _, 'a survey question': _question, 'an area': _area, ...others } = additions;
  copy.apply(Object.values(others).flat());
});

step('the coverage asks for a scenario of the operation, and the survey for the answer to its question', () => {
  const said = failureOf(
    'every row of the catalogue|the survey of local',
    'src/runner/contract.test.ts',
    'src/survey/variants.test.ts',
  );
  assert.match(said, /no scenario calls these: add one to tests\/scenarios\//);
  assert.match(said, /'pinStory'/);
  const differing = [...said.matchAll(/\+ +'(\w+ \S+ = .*)'/g)].map(([, row]) => row);
  assert.deepEqual(differing, ['evaluate request-id = x-request-id']);
  assert.match(said, /reference-service\/assumptions\/ state: change them, then `npm run pages`/);
  apply('an operation', 4);
  const filled = filledIn(
    'tests/scenarios/pin-story.spec.ts',
    'stories.pinStory({ storyId: story.id, place: 1 })',
    '{ stories, story }',
  );
  copy.apply([filled]);
  apply('a survey question', 2);
});

step('the kill matrix asks for a fault that the scenario catches, and for a line of each fault', () => {
  const said = failureOf('.', 'src/fault-injection/matrix.test.ts');
  assert.match(said, /'pin story'/);
  assert.match(said, /add a fault that it catches to reference-service\/faults\//);
  assert.match(said, /'love-done-but-502'[\s\S]*`npm run drill:matrix -- --missing` adds new faults/);
  apply('an operation', 5);
});

let takeBackSkeletons = () => {};

/** What else `sextant new` writes: a title that needs several lines, channels, operations with other headers and arguments. */
const long = 'a user whose story is loved by many others sees every one';
const otherSkeletons = [
  ...scenarioSkeleton({ name: long, area: 'gameDesign', effect: 'irreversible' }, new Map()).changes,
  ...['beeper', 'zulip'].flatMap((name) => channelSkeleton(name).changes),
  ...operation('showPins', '/v1/stories/pins/{storyId}/{page}'),
  ...operation('loveAgain', '/v1/stories/again', { method: 'POST', effect: 'reversible', request: 'storyReference' }),
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
  copy.apply(otherSkeletons);
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

step('the compiler asks for what is missing, and has nothing against all that is there', () => {
  const takeBack = copy.remember();
  copy.apply(lacking);
  const { ok, output } = copy.node('tools/check.ts', 'types');
  takeBack();
  assert.equal(ok, false);
  const complaints = output.split('\n').filter((line) => line.includes('error TS'));
  const asked = complaints.map((line) => line.replace(/^([\w/-]+\.ts).*?(yaml|health|dropPin|storyDrop).*/, '$1: $2'));
  assert.deepEqual(
    [...new Set(asked)],
    [
      'reference-service/handlers/index.ts: dropPin',
      'reference-service/readings/responses.ts: yaml',
      'src/client/verdict/verdicts.ts: health',
      'src/spec/samples.ts: storyDrop',
    ],
  );
});

step('the check names the commands that make anew what is made', () => {
  const names = ['lint, format, import cycles', 'layers', 'generated pages', 'docs: commands and paths'];
  const { ok, output } = copy.node('tools/check.ts', ...names);
  assert.equal(ok, false);
  const red = [...output.matchAll(/^FAILED (.*) \(/gm)].map(([, name]) => name);
  assert.deepEqual(red.sort(), ['generated pages', 'lint, format, import cycles'], output);
  const complaints = output.matchAll(/^(\S+\.\w+)\S* (?:format|lint|assist|suppressions|parse)\b/gm);
  const unformatted = [...new Set([...complaints].map(([, file = '']) => file))];
  for (const file of unformatted) assert.match(file, /\b(readings|strangers)\b/, 'of a skeleton');
  const cures = new Set([...output.matchAll(/`npm run ([\w:]+)`/g)].map(([, name = '']) => name));
  assert.deepEqual([...cures].sort(), ['format', 'pages']);
  takeBackSkeletons();
  // README has the figures of the drill.
  for (const ran of [copy.format(unformatted), copy.script('drill:matrix -- --missing'), copy.script('pages')]) {
    assert.ok(ran.ok, ran.output);
    assert.doesNotMatch(ran.output, /warning/i);
  }
  const again = copy.node('tools/check.ts', 'generated pages', 'docs: commands and paths');
  assert.ok(again.ok, again.output);
  const answers = readFileSync(join(copy.folder, 'reference-service/README.md'), 'utf8');
  assert.match(answers, /^\| evaluate \| `request-id` \| x-request-id \|/m);
});

step('with all of them, the first steps with a new environment and the hermetic tests hold', () => {
  const others = copy.tests(Object.keys(OF_OTHERS).join('|'), ...Object.values(OF_OTHERS));
  assert.ok(others.ok, others.output);
  const hermetic = copy.node('tools/node-tests.ts', 'hermetic', ...OVER_ALL);
  assert.ok(hermetic.ok, hermetic.output.slice(Math.max(0, hermetic.output.indexOf('\nFAILED'))));
  assert.match(sextant('areas').output, /^photos$/m);
});
