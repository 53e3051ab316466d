import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigurationError } from '../../config/index.ts';
import { scenarioFile } from './new.ts';

const taken = new Map([['love a story', 'love.spec.ts']]);
const made = (name: string, effect: 'read' | 'reversible' = 'read') =>
  scenarioFile(name, { area: 'stories', effect }, taken);

const refused: [what: string, name: string, says: RegExp][] = [
  [
    'a title that there is',
    'love-a-story',
    /^"love a story" is a scenario already: love\.spec\.ts\. Choose another title\.$/,
  ],
  ['a path', '../escape', /^"\.\.\/escape" can't be the name of a scenario; expected: its story/],
  ['a quote', "it's quoted", /^"it's quoted" can't be the name of a scenario/],
];
for (const [what, name, says] of refused)
  test(`${what} is refused in one line`, () =>
    assert.throws(
      () => made(name),
      (error) => {
        assert.ok(error instanceof ConfigurationError);
        assert.match(error.message, says);
        return !error.message.includes('\n');
      },
    ));

test('the file has the story, the tags and a line that is red; what changes something is told of clean-up', () => {
  const { spec, text, next } = made('Love, then unlove', 'reversible');
  assert.equal(spec, 'tests/scenarios/love-then-unlove.spec.ts');
  assert.match(
    text,
    /^scenario\('Love, then unlove', \{ tag: \['@stories', '@reversible'\] \}, async \(\{ stories \}\) => \{/m,
  );
  assert.match(text, /^ {2}unwritten\(stories, /m);
  assert.match(next.join('\n'), /clean-up .* `defer\(/);
  assert.doesNotMatch(made('look').next.join('\n'), /defer/);
});
