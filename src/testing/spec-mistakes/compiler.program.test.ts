import assert from 'node:assert/strict';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { compiled } from '../../../tools/sources.ts';
import { mistakes } from '../../client/index.ts';
import { projectRoot } from '../../config/project-root.ts';
import { mistakenSpecs, specText } from './index.ts';

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
  // Of the ways to try again, it finds one.
  for (const [mistake, { isCompiled }] of Object.entries(mistakes))
    assert.equal(found.has(mistake as never), isCompiled || mistake === 'retry', mistake);
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
