import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../src/config/project-root.ts';
import { ownFolder } from '../../src/testing/own-folder.ts';
import { checks } from '../check.ts';

const folder = ownFolder();
cpSync(join(projectRoot, 'biome.json'), join(folder, 'biome.json'));

/** The lint output of `npm run check` for files that only import each other. */
function linted(files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const step = checks.find(({ command }) => command === 'biome');
  assert.ok(step);
  const biome = join(projectRoot, 'node_modules', '.bin', 'biome');
  const { status, stdout, stderr } = spawnSync(biome, [...step.args, '--vcs-enabled=false'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return `${status === 0 ? 'ok' : 'failed'}\n${stdout}${stderr}`;
}

const one = "import type { Two } from './two.ts';\n\nexport interface One {\n  readonly two?: Two;\n}\n";
const three = "export type { One } from './one.ts';\n";

test('an import cycle fails the check, of types alone too, and names its files and the cure', () => {
  const innocent = 'export interface Two {\n  readonly value: string;\n}\n';
  assert.match(linted({ 'one.ts': one, 'two.ts': innocent, 'three.ts': three }), /^ok/);
  const guilty = "import type { One } from './three.ts';\n\nexport interface Two {\n  readonly one?: One;\n}\n";
  const found = linted({ 'two.ts': guilty });
  assert.match(found, /^failed/);
  assert.match(found, /two\.ts:1:.*noImportCycles/);
  assert.match(
    found,
    /This import resolves to three\.ts\s+\.\.\. which imports one\.ts\s+\.\.\. which imports two\.ts/,
  );
  assert.match(found, /Break the cycle/);
});
