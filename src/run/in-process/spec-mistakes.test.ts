import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { projectRoot } from '../../environment/project-root.ts';
import { mistakenSpecs, specText } from '../../testing/mistaken-specs.ts';
import { ownFolder, writeFiles } from '../../testing/own-folder.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { embeddedEnvironment } from '../../testing/test-environment.ts';
import { exitCode, overallVerdict, runAll, type ScenarioResult } from '../index.ts';
import { collect, type Scenario } from './collect-scenarios.ts';

const root = ownFolder();
const folder = join(root, 'tests', 'scenarios');
const service = await ownService();

const name = (index: number) => `${String(index).padStart(2, '0')}.spec.ts`;
const good = `import { scenario } from '../../fixtures.ts';
scenario('good', { tag: ['@friends', '@read'] }, async ({ friends }) => {
  await friends.listBlocked().succeeds();
});
`;

let results: readonly ScenarioResult[];
let all: readonly Scenario[];
before(async () => {
  const mistaken = mistakenSpecs.map((row, index) => [name(index), specText(row, '../../fixtures.ts')]);
  writeFiles(folder, { ...Object.fromEntries(mistaken), 'good.spec.ts': good });
  const fixtures = JSON.stringify(join(projectRoot, 'fixtures/index.ts'));
  writeFiles(root, { 'package.json': { type: 'module' }, 'fixtures.ts': `export * from ${fixtures};\n` });
  all = await collect(folder);
  const { readProfile: _, ...environment } = embeddedEnvironment(service);
  results = await runAll(all, { environment, seed: '1', runId: 'mistakes' });
});

const mistaken = (file: string) =>
  results.filter((each) => each.file === join(folder, file) && each.verdict !== 'passed');

for (const [index, row] of mistakenSpecs.entries())
  test(`${row.title}: unknown, with file, line and cure (${index})`, () => {
    const [only, ...others] = mistaken(name(index));
    assert.deepEqual(others, []);
    assert.deepEqual([only?.verdict, only?.curl], ['unknown', undefined]);
    const place = `tests/scenarios/${name(index)}:${row.line}: `;
    const reason = only?.reason ?? '';
    assert.equal(reason.slice(0, place.length), place, reason);
    assert.match(reason.slice(place.length), row.says);
    assert.doesNotMatch(reason, /\b(src|fixtures)\/[\w-]+\/|bug/);
  });

test('one file that does not load takes no other scenario away, and the run could not judge', () => {
  assert.equal(results.find(({ title }) => title === 'good')?.verdict, 'passed');
  assert.equal(results.length, all.length);
  assert.equal(exitCode(overallVerdict(results.map(({ verdict }) => verdict))), 3);
});

test('titles stay unique, whatever is declared', () => {
  const titles = all.map(({ title }) => title);
  assert.equal(new Set(titles).size, titles.length);
});
