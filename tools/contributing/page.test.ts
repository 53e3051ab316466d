import assert from 'node:assert/strict';
import { test } from 'node:test';
import { additions } from './additions.ts';
import { stepOf, steps } from './page.ts';

/** Maximum number of edits per addition. */
const MOST: Readonly<Record<string, number>> = { 'an operation': 5, 'an area': 3 };
const MOST_OTHERWISE = 2;

test('every section of CONTRIBUTING that adds something is carried out, but for the one on scenarios', () => {
  // A scenario is the fourth step of an operation.
  const headings = [...steps.keys()].filter((heading) => heading !== 'a scenario');
  assert.deepEqual(headings.sort(), Object.keys(additions).sort());
});

for (const [heading, edits] of Object.entries(additions))
  test(`add ${heading}: the edits are those of the page, step by step, and few`, () => {
    const named = steps.get(heading) ?? [];
    assert.ok(named.length <= (MOST[heading] ?? MOST_OTHERWISE), `${named.length} steps`);
    const found = edits.map(({ file }) => stepOf(file, named));
    assert.deepEqual(
      [...new Set(found)].sort(),
      [...named.keys()].map((index) => index + 1),
      edits.map(({ file }) => file).join(),
    );
  });

const rows: [path: string, file: string, step: number][] = [
  ['src/spec/areas.ts', 'src/spec/areas.test.ts', 0],
  ['schemas/', 'src/schemas/story-pin.ts', 0],
  ['environments/*.env', 'environments/qa.env', 1],
  ['environments/*.env', 'environments/more/qa.env', 0],
];
for (const [path, file, step] of rows)
  test(`${path} ${step ? 'covers' : "doesn't cover"} ${file}`, () => assert.equal(stepOf(file, [[path]]), step));
