import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/environment/project-root.ts';
import { offline } from '../../src/run/ending/index.ts';
import { keepRunHere, Skipped, World } from '../../src/scenario/index.ts';
import { areaIds } from '../../src/service/index.ts';
import { fixtures } from '../../src/testing/made-scenario.ts';
import { seededData, testEnvironment } from '../../src/testing/test-environment.ts';
import { silent } from '../../src/verdict/index.ts';

/** Keys of test data. `lacking` removes them all from an environment. */
const names = [...Object.keys(seededData), 'STORY_ID', 'REPORT_LANGUAGE', 'FRIEND_ACCESS_TOKEN'];
const lacking = Object.fromEntries(names.map((key) => [key, undefined]));

/** The comment on each row of `fixtures/`, by the name of the row. All clients have one comment. */
function comments(): ReadonlyMap<string, string> {
  const files = ['clients', 'users', 'data', 'shared'].map((name) =>
    readFileSync(join(projectRoot, 'fixtures', `${name}.ts`), 'utf8'),
  );
  const found = files.join('\n').matchAll(/^ *\/\*\* (.+?)\.? \*\/\n *(?:export const )?(\w+)/gm);
  return new Map([...found].map(([, comment = '', name = '']) => [name, comment]));
}

/** The keys that an environment must have for a fixture. They are found one by one: each message of the fixture names a missing key. */
async function needsOf(name: string): Promise<string> {
  const keys: Record<string, string | undefined> = { ...lacking };
  const needs: string[] = [];
  for (;;) {
    keepRunHere('fixtures');
    const environment = testEnvironment('http://127.0.0.1:9', keys);
    const basis = { environment, observer: silent, seed: 1, runId: 'fixtures', transports: offline };
    const world = new World({ ...basis, fixtures });
    const error: unknown = await world.fixture(name).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    await world.close({ verify: 'nothing' });
    // The fixture was created, or it failed because it sends a request, which is impossible here. In both cases it needs no further key.
    if (!(error instanceof Skipped)) return needs.join(', ') || '–';
    const need = error.message.replace(/^needs /, '');
    const isKey = /^[A-Z_]+$/.test(need);
    needs.push(isKey ? `\`${need}\`` : need);
    if (!isKey) return needs.join(', ');
    keys[need] = (seededData as Readonly<Record<string, string>>)[need] ?? 'another';
  }
}

/** The rows of the table, one for each fixture and one for all clients: name, value, and the keys that an environment needs. */
export async function fixtureRows(): Promise<string[][]> {
  const of = comments();
  const names = Object.keys(fixtures).filter((name) => !(areaIds as readonly string[]).includes(name));
  const rows = [[areaIds.map((area) => `\`${area}\``).join(', '), of.get('clients') ?? '', '–']];
  for (const name of names) {
    const gives = of.get(name);
    if (!gives) throw new Error(`fixtures/ has no comment on ${name}, which would say what it gives`);
    rows.push([`\`${name}\``, gives, await needsOf(name)]);
  }
  return rows;
}
