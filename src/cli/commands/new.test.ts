import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigurationError } from '../../environment/index.ts';
import { runInProcess } from '../../testing/programs/run-in-process.ts';
import { placeOf, textOf } from './new.ts';

const taken = new Map([['love a story', 'love.spec.ts']]);

const refused: [what: string, name: string, says: RegExp][] = [
  [
    'a title that there is',
    'love a story',
    /^"love a story" is a scenario already: love\.spec\.ts\. Choose another title\.$/,
  ],
  ['a path', '../escape', /^"\.\.\/escape" can't be the name of a scenario; expected: its story/],
  ['a quote', "it's quoted", /^"it's quoted" can't be the name of a scenario/],
];
for (const [what, name, says] of refused)
  test(`${what} is refused in one line`, () =>
    assert.throws(
      () => placeOf(name, taken),
      (error) => {
        assert.ok(error instanceof ConfigurationError);
        assert.match(error.message, says);
        return !error.message.includes('\n');
      },
    ));

test('the file is named by the story', () =>
  assert.deepEqual(placeOf('Love, then unlove', taken), {
    story: 'Love, then unlove',
    spec: 'tests/scenarios/love-then-unlove.spec.ts',
  }));

// In a checkout, the command writes into the checkout itself. The test must not change it, so it only tries a title that exists already.
test('what exists is not replaced', async () => {
  const { code, err } = await runInProcess(['new', 'scenario', 'block, then list, then unblock', '--area', 'friends']);
  assert.equal(code, 2);
  assert.match(
    err,
    /^"block, then list, then unblock" is a scenario already: tests\/scenarios\/\S+\. Choose another title\.$/m,
  );
});

test('the template becomes a spec that compiles', () => {
  const text = textOf({ story: 'love twice', area: 'stories', effect: 'reversible' });
  assert.match(
    text,
    /^scenario\('love twice', \{ tag: \['@stories', '@reversible'\] \}, async \(\{ stories \}\) => \{/m,
  );
  assert.match(text, /^ {2}unwritten\(stories, /m);
  assert.match(text, /^\/\/ defer\(\(\) => stories\.unlove\(\{ storyId: story\.id \}\)\.settles\(\)\);$/m);
  assert.doesNotMatch(textOf({ story: 'x', area: 'features', effect: 'read' }), /Clean-up|friends|CLEANUP/);
  assert.doesNotMatch(text, /\b(CLEANUP|SEXTANT|STORY|AREA|EFFECT)\b/);
});
