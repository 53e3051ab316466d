import assert from 'node:assert/strict';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { mistakes } from '../../src/client/index.ts';
import { projectRoot } from '../../src/config/project-root.ts';
import { mistakenSpecs, specText } from '../../src/testing/spec-mistakes/index.ts';
import { compiled } from '../sources.ts';

const name = (index: number) => `mistaken-${index}.spec.ts`;
const texts = mistakenSpecs.map((row, index) => [name(index), specText(row, join(projectRoot, 'fixtures/index.ts'))]);
// With an error of syntax anywhere, the compiler says nothing of types.
const errors = compiled(Object.fromEntries(texts.filter(([, text = '']) => isSound(text)))).split('\n');

function isSound(text: string): boolean {
  try {
    return stripTypeScriptTypes(text) !== '';
  } catch {
    return false;
  }
}

/** What the compiler says of a row, at its line. */
function saidOf(index: number): string {
  const { line } = mistakenSpecs[index] ?? {};
  return errors.filter((error) => error.startsWith(`${name(index)}(${line},`)).join('\n');
}

test('the table says of each mistake whether the compiler finds it', () => {
  const found = new Set(mistakenSpecs.filter((_, index) => saidOf(index) !== '').map(({ mistake }) => mistake));
  const stated = Object.entries(mistakes).filter(([, { check }]) => check === 'types');
  assert.deepEqual(
    stated.map(([mistake]) => mistake).filter((mistake) => !found.has(mistake as never)),
    [],
    errors.slice(0, 40).join('\n'),
  );
});

test('what can only be noticed in a run is not said to be found before', () => {
  for (const [index, { mistake, isChecked }] of mistakenSpecs.entries())
    if (mistakes[mistake].check === null) assert.deepEqual([isChecked, saidOf(index)], [false, ''], mistake);
});

const readable: [source: string, says: RegExp][] = [
  ['ungraded', /Expected 2 arguments, but got 1\.$/],
  [
    'claimed',
    /Argument of type '"it works"' is not assignable to parameter of type '`assumed: \$\{string\}` \| .*`documented: \$\{string\}`/,
  ],
  ['status', /Property 'status' does not exist on type 'ApiResponse<.*>'\./],
  ['misspelt', /Property 'blok' does not exist on type 'AreaClient<"friends">'\. Did you mean 'block'\?/],
  ['of a stranger', /Property 'frends' does not exist on type 'WorldValues'/],
  ['alone', /Property 'only' does not exist on type 'DeclareScenario'\./],
  ['untagged', /Expected 3 arguments, but got 2\./],
];

for (const [title, says] of readable)
  test(`"${title}": the compiler's words are readable`, () => {
    const index = mistakenSpecs.findIndex(({ source }) => source.includes(`'${title}'`));
    assert.match(saidOf(index), says);
  });
