import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../src/config/project-root.ts';
import { additions } from './additions.ts';

/** The paths in the numbered steps of each "Add …" section of CONTRIBUTING, by heading without `Add `. */
function stepsOf(page: string): Map<string, string[][]> {
  const sections = page.split(/^## Add /m).slice(1);
  return new Map(
    sections.map((section) => {
      const [heading = '', ...lines] = section.split(/\n(?=## )/)[0]?.split('\n') ?? [];
      const steps = lines.join('\n').match(/^\d+\. .*(\n {3}.*)*/gm) ?? [];
      return [
        heading,
        steps.map((step) => [...step.matchAll(/`([\w-]+\/[\w./*<>-]*)`/g)].map(([, path = '']) => path)),
      ];
    }),
  );
}

/** Whether a step with `path` covers a file: the file itself, one in the folder, or one that matches the pattern. */
function covers(path: string, file: string): boolean {
  const pattern = path.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\*|<\w+>/g, '[^/]+');
  return new RegExp(`^${pattern}${path.endsWith('/') ? '.+' : '$'}`).test(file);
}

const pageSteps = stepsOf(readFileSync(join(projectRoot, 'CONTRIBUTING.md'), 'utf8'));

/** Maximum number of edits per addition. */
const MOST: Readonly<Record<string, number>> = { 'an operation': 5, 'an area': 3 };
const MOST_OTHERWISE = 2;

test('every section of CONTRIBUTING that adds something is carried out, but for the one on scenarios', () => {
  // A scenario is the fourth step of an operation.
  const headings = [...pageSteps.keys()].filter((heading) => heading !== 'a scenario');
  assert.deepEqual(headings.sort(), Object.keys(additions).sort());
});

for (const [heading, steps] of Object.entries(additions)) {
  test(`add ${heading}: the edits are those of the page, step by step, and few`, () => {
    const named = pageSteps.get(heading) ?? [];
    assert.equal(steps.length, named.length, 'as many steps as on the page');
    assert.ok(steps.length <= (MOST[heading] ?? MOST_OTHERWISE), `${steps.length} steps`);
    for (const [index, edits] of steps.entries()) {
      const strangers = edits.filter(({ file }) => !named[index]?.some((path) => covers(path, file)));
      assert.deepEqual(
        strangers.map(({ file }) => file),
        [],
        `step ${index + 1} names ${named[index]?.join(', ')}`,
      );
    }
  });
}

const rows: [path: string, file: string, covered: boolean][] = [
  ['src/spec/areas.ts', 'src/spec/areas.test.ts', false],
  ['schemas/', 'src/schemas/story-pin.ts', false],
  ['environments/*.env', 'environments/qa.env', true],
  ['environments/*.env', 'environments/more/qa.env', false],
];
for (const [path, file, covered] of rows)
  test(`${path} ${covered ? 'covers' : "doesn't cover"} ${file}`, () => assert.equal(covers(path, file), covered));
