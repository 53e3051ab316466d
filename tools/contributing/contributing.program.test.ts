import assert from 'node:assert/strict';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { additions } from './additions.ts';
import { Copy } from './copy.ts';

/*
 * CONTRIBUTING's additions, made one after the other in one copy of the project: a missing edit fails, each
 * failure names its cure, and in the end everything passes. The tests build on each other.
 */
const copy = new Copy();
after(() => copy.remove());

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

const apply = (heading: keyof typeof additions, ...steps: readonly number[]) => {
  for (const step of steps) copy.apply(additions[heading][step - 1] ?? []);
};

/** Runs one test file of the copy; returns its output if it fails. */
function failureOf(file: string): string {
  const { ok, output } = copy.node('--test', file);
  assert.equal(ok, false, `${file} passed`);
  return output;
}

step('an import across a layer, and a folder that is not on the list, fail with the cure', () => {
  const strangers = { 'src/client/crossing.ts': '../../reference-service/index.ts', 'src/attic/old.ts': '../index.ts' };
  mkdirSync(join(copy.folder, 'src/attic'));
  for (const [file, from] of Object.entries(strangers))
    writeFileSync(join(copy.folder, file), `export * from '${from}';\n`);
  const { ok, output } = copy.node('tools/layers/check-layers.ts');
  assert.equal(ok, false);
  assert.match(output, /^src\/client\/crossing\.ts:1: src\/client\/ may not import reference-service\/index\.ts\./m);
  assert.match(output, /^src\/attic\/: it is not on the list of layers\. Add a line to tools\/layers\/allowed\.ts/m);
  rmSync(join(copy.folder, 'src/client/crossing.ts'));
  rmSync(join(copy.folder, 'src/attic'), { recursive: true });
});

step('an operation, a reading, a verdict: the compiler asks for what is missing, and for nothing else', () => {
  apply('an operation', 1);
  apply('an open question or a reading', 1);
  apply('a verdict', 1);
  const verdicts = join(copy.folder, 'src/client/verdict/verdicts.ts');
  const whole = readFileSync(verdicts, 'utf8');
  const at = whole.indexOf('  postponed: {');
  const lacking = whole.slice(at).replace(/ {4}health: 'unknown',\n/, '');
  writeFileSync(verdicts, whole.slice(0, at) + lacking);
  const { ok, output } = copy.types();
  writeFileSync(verdicts, whole);
  assert.equal(ok, false);
  const complaints = output.split('\n').filter((line) => line.includes('error TS'));
  const asked = complaints.map((line) => line.replace(/^([\w/-]+\.ts).*?(xml|health|pinStory|storyPin).*/, '$1: $2'));
  assert.deepEqual(
    [...new Set(asked)],
    [
      'reference-service/handlers/index.ts: pinStory',
      'reference-service/readings/index.ts: xml',
      'src/client/verdict/verdicts.ts: health',
      'src/spec/samples.ts: storyPin',
    ],
  );
  apply('an operation', 2, 3);
  apply('an open question or a reading', 2);
});

step('an operation: the coverage asks for a scenario, and the kill matrix for a fault', () => {
  const uncovered = failureOf('src/runner/coverage.test.ts');
  assert.match(uncovered, /no scenario calls these: add one to tests\/scenarios\//);
  assert.match(uncovered, /'pinStory'/);
  apply('an operation', 4);
  const idle = failureOf('src/fault-injection/matrix.test.ts');
  assert.match(idle, /'pin a story'/);
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
  const unstated = failureOf('src/survey/assumptions.test.ts');
  assert.match(unstated, /'evaluate request-id = x-request-id'/);
  assert.match(unstated, /reference-service\/assumptions\/ state: change them, then `npm run pages`/);
  apply('a survey question', 2);
});

step('the other additions are made', () => {
  apply('an environment', 1);
  apply('an environment key', 1, 2);
  apply('an alert channel', 1, 2);
  apply('a fault', 1);
  apply('a command', 1, 2);
  apply('a form of a secret', 1);
});

step('what the additions make stale names the command that makes it anew', () => {
  const { ok, output } = copy.node('tools/check.ts', 'generated pages', 'lint, format, import cycles');
  assert.equal(ok, false);
  assert.match(output, /FAILED generated pages/);
  const matrix = failureOf('src/fault-injection/matrix.test.ts');
  const deployment = failureOf('tools/deploy/deployment-files.test.ts');
  const cures = new Set(
    [...`${output}${matrix}${deployment}`.matchAll(/`npm run ([\w:]+(?: -- --\w+)?)`/g)].map(([, name = '']) => name),
  );
  assert.deepEqual([...cures].sort(), ['deployment', 'drill:matrix', 'drill:matrix -- --missing', 'format', 'pages']);
  cures.delete('drill:matrix');
  // README has the figures of the drill.
  for (const cure of [...cures].sort((a, b) => Number(a === 'pages') - Number(b === 'pages'))) {
    const ran = copy.npmRun(cure);
    assert.ok(ran.ok, ran.output);
  }
});

/** Tests of the machinery alone: they wait for deadlines, clocks and disks, and name nothing that an addition adds. */
const ofMachinery = [
  'fixtures/transports.test.ts',
  'src/cli/{broken-files,fuzz}.test.ts',
  'src/client/http',
  'src/client/redaction/linear-work.test.ts',
  'src/config/files',
  'src/config/import',
  'src/monitor/*.test.ts',
  'src/monitor/{alerting/outbox-dispatcher.test.ts,history,metrics,probe,recording,schedule,settings,status,status-page}',
  'src/prober',
  'src/runner/{contract,flapping,left-behind,misbehaviours,over-time,restore,run-all,shared-users,undo}.test.ts',
  'src/scenario/{journal,model-based}',
  'src/serving',
  'src/survey/{compare,drift.test.ts,endings.test.ts,verify-facts/hold-facts.test.ts,variants.test.ts}',
  'tools/deploy/{end-to-end,kubernetes}',
  'tools/test-runner',
];

/** What additions extend: a test that names nothing of it, and no file of the project, sees none of them. */
const EXTENDED =
  /\b(operationIds|operationsWith|operations|areaIds|areas|channelTypes|verdicts|serviceReadings|faults|variants|commands|secretForms|projectRoot|globSync|allScenarios|scenarios\(|experiments|questions)\b/;

/** Hermetic tests that no addition can break. What those outside src/ go by is not seen in their text. */
function unaffected(): string[] {
  const tests = globSync('src/**/*.test.ts', { cwd: copy.folder });
  return tests.filter((file) => !EXTENDED.test(readFileSync(join(copy.folder, file), 'utf8')));
}

/** What starts programs, and goes by what an addition adds: scenarios in both runners, areas and keys that are asked for. */
const followed = ['src/runner/agreement.program.test.ts', 'src/cli/connect/guided/guided-start.program.test.ts'];

step('with all of them, the program tests that they can break hold', () => {
  const { ok, output } = copy.node('--test', ...followed);
  assert.ok(ok, output);
});

step('with all of them, the check and the hermetic tests hold', () => {
  const check = copy.npmRun('check');
  assert.ok(check.ok, check.output);
  const hermetic = copy.node('tools/node-tests.ts', 'hermetic', ...ofMachinery, ...unaffected());
  assert.ok(hermetic.ok, hermetic.output.slice(Math.max(0, hermetic.output.indexOf('\nFAILED'))));
  assert.match(copy.node('src/cli/sextant.ts', 'areas').output, /^photos$/m);
});
