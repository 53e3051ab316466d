import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
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

test('an import across a layer, and a folder that is not on the list, fail with the cure', () => {
  const other = new Copy();
  try {
    writeFileSync(join(other.folder, 'src/client/crossing.ts'), "export * from '../../reference-service/index.ts';\n");
    mkdirSync(join(other.folder, 'src/attic'));
    writeFileSync(join(other.folder, 'src/attic/old.ts'), 'export const old = true;\n');
    const { ok, output } = other.node('tools/layers/check-layers.ts');
    assert.equal(ok, false);
    assert.match(output, /^src\/client\/crossing\.ts:1: src\/client\/ may not import reference-service\/index\.ts\./m);
    assert.match(output, /^src\/attic\/: it is not on the list of layers\. Add a line to tools\/layers\/allowed\.ts/m);
  } finally {
    other.remove();
  }
});

step('an operation: the compiler asks for its handler and its arguments, and nothing else', () => {
  apply('an operation', 1);
  const { ok, output } = copy.types();
  assert.equal(ok, false);
  const complaints = output.split('\n').filter((line) => line.includes('error TS'));
  assert.deepEqual(
    complaints.map((line) => /^([\w/-]+\.ts).*(pinStory|storyPin)/.exec(line)?.slice(1, 3)),
    [
      ['reference-service/handlers/index.ts', 'pinStory'],
      ['src/scenario/sample-arguments.ts', 'storyPin'],
    ],
  );
  apply('an operation', 2, 3);
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

step('a reading: the compiler asks for it in the reference service', () => {
  apply('an open question or a reading', 1);
  const { ok, output } = copy.types();
  assert.equal(ok, false);
  assert.match(output, /^reference-service\/readings\/index\.ts.*'xml' is missing/m);
  apply('an open question or a reading', 2);
});

step('a verdict: a record that lacks a field does not compile', () => {
  const other = new Copy();
  try {
    const lacking = additions['a verdict'].flat().map(({ file, change }) => ({
      file,
      change: (...given: Parameters<typeof change>) => change(...given).replace(/ {4}health: 'unknown',\n/, ''),
    }));
    other.apply(lacking);
    const { ok, output } = other.types();
    assert.equal(ok, false);
    assert.match(output, /src\/client\/verdict\/verdicts\.ts.*health/);
  } finally {
    other.remove();
  }
});

step('the other additions need nothing but their steps', () => {
  apply('an environment', 1);
  apply('an environment key', 1, 2);
  apply('an alert channel', 1, 2);
  apply('a verdict', 1);
  apply('a fault', 1);
  apply('a command', 1, 2);
  apply('a form of a secret', 1);
  assert.deepEqual(copy.types(), { ok: true, output: '' });
});

step('what the additions make stale names the command that makes it anew', () => {
  const { ok, output } = copy.node('tools/check.ts', 'generated pages', 'lint, format, import cycles');
  assert.equal(ok, false);
  assert.match(output, /FAILED generated pages/);
  const matrix = failureOf('src/fault-injection/matrix.test.ts');
  const cures = new Set(
    [...`${output}${matrix}`.matchAll(/`npm run ([\w:]+(?: -- --\w+)?)`/g)].map(([, name = '']) => name),
  );
  assert.deepEqual([...cures].sort(), ['drill:matrix', 'drill:matrix -- --missing', 'format', 'pages']);
  cures.delete('drill:matrix');
  for (const cure of cures) {
    const ran = copy.npmRun(cure);
    assert.ok(ran.ok, ran.output);
  }
});

/** Slow tests that no addition can change: they wait for deadlines, clocks and disks, and name no operation of the specification. */
const withoutOperations = [
  'src/runner/misbehaviours.test.ts',
  'src/monitor/monitor.test.ts',
  'src/monitor/alerting/outbox-dispatcher.test.ts',
  'src/monitor/schedule',
  'src/client/redaction/linear-work.test.ts',
  'tools/deploy/end-to-end',
  'tools/deploy/kubernetes',
  'src/client/http',
  'src/monitor/history',
  'src/monitor/status-page',
  'src/prober',
  'src/serving',
  'src/survey/variants.test.ts',
  'src/survey/endings.test.ts',
  'src/survey/drift.test.ts',
];

step('with all of them, the check and the hermetic tests hold', () => {
  const check = copy.npmRun('check');
  assert.ok(check.ok, check.output);
  const hermetic = copy.node('tools/node-tests.ts', 'hermetic', ...withoutOperations);
  assert.ok(hermetic.ok, hermetic.output.slice(hermetic.output.indexOf('failing tests')));
  assert.match(copy.node('src/cli/sextant.ts', 'areas').output, /^photos$/m);
});
