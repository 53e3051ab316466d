import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { projectRoot } from '../src/config/project-root.ts';

// CONTRIBUTING's "add an operation", done in a copy of the tree: each step that is left out is asked for.
const copy = mkdtempSync(join(tmpdir(), 'sextant-contributing-'));
after(() => rmSync(copy, { recursive: true }));
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: projectRoot,
  encoding: 'utf8',
});
for (const file of files.trim().split('\n')) {
  if (/\.(ts|json|env)$/.test(file)) cpSync(join(projectRoot, file), join(copy, file), { recursive: true });
}
symlinkSync(join(projectRoot, 'node_modules'), join(copy, 'node_modules'));

function edit(file: string, before: string, added: string): void {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  assert.ok(text.includes(before), `${file} has ${before}`);
  writeFileSync(path, text.replace(before, `${added}${before}`));
}

// A test runner inside a test runner runs nothing unless it doesn't know.
const { NODE_TEST_CONTEXT: _, ...env } = process.env;

function run(...args: string[]): { ok: boolean; said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: copy,
    encoding: 'utf8',
    env,
  });
  return { ok: status === 0, said: stdout + stderr };
}

/** The native compiler's own launcher, so that no shell or PATH is needed. */
const types = () => {
  const { status, stdout } = spawnSync(join(projectRoot, 'node_modules', '.bin', 'tsc'), ['-p', '.'], {
    cwd: copy,
    encoding: 'utf8',
  });
  return { ok: status === 0, said: stdout };
};
const coverage = () => run('--test', 'src/runner/coverage.test.ts');

test('a new operation is asked for its handler, status, sample and scenario, and works with them', () => {
  edit(
    'src/spec/operations.ts',
    '  evaluate: {',
    "  pinStory: {\n    row: 15, title: 'Pin story', area: 'stories', method: 'POST', path: '/v1/stories/pin',\n    headerSet: 'user', request: 'storyReference', effect: 'reversible',\n  },\n",
  );
  const incomplete = types();
  assert.equal(incomplete.ok, false);
  for (const file of [
    'reference-service/handlers/index.ts',
    'reference-service/assumptions/values.ts',
    'src/scenario/sample-arguments.ts',
  ]) {
    assert.match(incomplete.said, new RegExp(`${file}.*[\\s\\S]*pinStory`), `${file} is asked for`);
  }

  edit(
    'reference-service/handlers/index.ts',
    '  evaluate,',
    '  pinStory: ({ args }) => ({ status: 200, body: args }),\n',
  );
  edit('reference-service/assumptions/values.ts', '    evaluate: [200],', '    pinStory: [200],\n');
  edit('src/scenario/sample-arguments.ts', '    evaluate: (', '    pinStory: story,\n');
  assert.deepEqual(types(), { ok: true, said: '' });

  const uncovered = coverage();
  assert.equal(uncovered.ok, false);
  assert.match(uncovered.said, /'pinStory'/);

  const spec =
    "import { scenario } from '../../fixtures/index.ts';\n\nscenario('pin a story', { tag: ['@stories', '@reversible'] }, async ({ stories, story }) => {\n  await stories.pinStory({ storyId: story.id }).succeeds();\n});\n";
  writeFileSync(join(copy, 'tests', 'scenarios', 'pin-story.spec.ts'), spec);
  const complete = coverage();
  assert.ok(complete.ok, complete.said);
  assert.match(complete.said, /"pin a story" is tagged with what it does/);
});

test('an import across a layer, and a folder that is not on the list, fail with the cure', () => {
  const crossing = join(copy, 'src', 'client', 'crossing.ts');
  writeFileSync(crossing, "export { startService } from '../../reference-service/index.ts';\n");
  mkdirSync(join(copy, 'src', 'attic'));
  writeFileSync(join(copy, 'src', 'attic', 'old.ts'), 'export const old = true;\n');
  const { ok, said } = run('tools/layers/check-layers.ts');
  assert.equal(ok, false);
  assert.match(said, /^src\/client\/crossing\.ts:1: src\/client\/ may not import reference-service\/index\.ts\./m);
  assert.match(said, /^src\/attic\/: it is not on the list of layers\. Add a line to tools\/layers\/allowed\.ts/m);
});
