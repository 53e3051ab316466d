import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../src/config/project-root.ts';
import { plainEnvironment, runToEnd } from '../../src/testing/programs/child.ts';
import { localElsewhere } from '../../src/testing/programs/run-command.ts';

interface Launch {
  readonly inputs: readonly { readonly id: string; readonly default: string }[];
  readonly configurations: readonly (Readonly<Record<'name' | 'runtimeExecutable' | 'program', string>> & {
    readonly args: readonly string[];
  })[];
}

const local = await localElsewhere();
const read = (name: string): unknown => JSON.parse(readFileSync(join(projectRoot, '.vscode', name), 'utf8'));
const launch = read('launch.json') as Launch;

/** As the editor fills a value in, with the cursor on the scenario of a file. */
function filled(text: string): string {
  const values: Readonly<Record<string, string>> = {
    ...Object.fromEntries(launch.inputs.map(({ id, default: value }) => [`input:${id}`, value])),
    workspaceFolder: projectRoot,
    relativeFile: 'tests/scenarios/love-unlove.spec.ts',
    lineNumber: '3',
  };
  return text.replace(/\$\{([\w:]+)\}/g, (whole, name: string) => values[name] ?? whole);
}

for (const { name, runtimeExecutable, program, args } of launch.configurations)
  test(`the launch entry "${name}" runs one scenario, green`, () => {
    assert.ok(existsSync(filled(runtimeExecutable)));
    const env = { ...plainEnvironment(), ...local.env };
    const { status, output } = runToEnd(process.execPath, [program, ...args].map(filled), { env });
    assert.equal(status, 0, output);
    assert.match(output, /\b1 passed\b/);
  });

test('an entry for each runner, and extensions by their names in the marketplace', () => {
  const programs = launch.configurations.map(({ program }) => program).join();
  for (const runner of [/src\/cli\/sextant\.ts\b/, /@playwright\/test\/cli\.js\b/]) assert.match(programs, runner);
  const { recommendations } = read('extensions.json') as { readonly recommendations: readonly string[] };
  for (const each of recommendations) assert.match(each, /^[\w-]+\.[\w-]+$/);
  assert.ok(recommendations.includes('ms-playwright.playwright') && recommendations.includes('biomejs.biome'));
});
