import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isIgnored, pairsOf, runtimePackages, stagesOf } from './build-in-folder.ts';

test('a Dockerfile by stage, with continued lines in one', () => {
  const text = '# x\nARG N=1\nFROM a AS b\nRUN x\n# y\nFROM c\nENV A=1 \\\n    B="two words"\n';
  assert.deepEqual(stagesOf(text), [
    [{ name: 'ARG', text: 'N=1' }],
    [
      { name: 'FROM', text: 'a AS b' },
      { name: 'RUN', text: 'x' },
    ],
    [
      { name: 'FROM', text: 'c' },
      { name: 'ENV', text: 'A=1 B="two words"' },
    ],
  ]);
  assert.deepEqual(pairsOf({ name: 'LABEL', text: 'a.b="v $' + '{N}" C=d' }, { N: '1' }), { 'a.b': 'v 1', C: 'd' });
});

for (const [path, ignored] of [
  ['docs/a.md', true],
  ['src/a.ts', false],
  ['src/a.test.ts', true],
  ['environments/x.secret.env', true],
  ['environments/x.env', false],
  ['package.json', false],
] as const)
  test(`${path} is ${ignored ? '' : 'not '}kept out`, () => {
    assert.equal(
      isIgnored('# x\n*\n!src\n!environments\n!package.json\n**/*.secret.env\n**/*.test.ts\n', path),
      ignored,
    );
  });

test('neither development packages nor optional ones are installed', () => {
  const packages = {
    '': {},
    'node_modules/a': {},
    'node_modules/b': { dev: true },
    'node_modules/c': { optional: true },
    'node_modules/own': { link: true },
  };
  assert.deepEqual(runtimePackages({ packages }), ['node_modules/a']);
});
