import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigurationError } from '../../config/index.ts';
import { newFile } from './insert.ts';
import { channelSkeleton, operationSkeleton, scenarioSkeleton } from './skeletons.ts';

const scenario = (name: string, effect: 'read' | 'reversible' = 'read') =>
  scenarioSkeleton({ name, area: 'stories', effect }, new Map([['love a story', 'love.spec.ts']]));
const operation = (name: string, path = '/v1/x') =>
  operationSkeleton({ name, path, area: 'stories', method: 'GET', headers: 'user', effect: 'read' });

const refused: [what: string, make: () => unknown, says: RegExp][] = [
  [
    'a scenario that there is',
    () => scenario('love-a-story'),
    /^"love a story" is a scenario already: love\.spec\.ts\. Choose another title\.$/,
  ],
  ['a path', () => scenario('../escape'), /^"\.\.\/escape" can't be the name of a scenario; expected: its story/],
  ['a quote', () => scenario("it's quoted"), /^"it's quoted" can't be the name of a scenario/],
  [
    'an operation that there is',
    () => operation('block'),
    /^The operation block exists already\. Choose another name\.$/,
  ],
  [
    'a name with a hyphen',
    () => operation('pin-story'),
    /^"pin-story" can't be the name of an operation; expected: letters and digits, like sendInvite\.$/,
  ],
  ['an address', () => operation('pin', 'v2/x'), /^"v2\/x" can't be a path; expected: \/v1\//],
  ['a keyword', () => channelSkeleton('delete'), /^"delete" can't be the name of an alert channel/],
  [
    'a channel that is there',
    () => channelSkeleton('slack'),
    /^The alert channel slack exists already\. Choose another name\.$/,
  ],
  [
    'a file that there is',
    () => newFile('src/slack.ts', '').make('something'),
    /^src\/slack\.ts exists already\. Choose another name\.$/,
  ],
];
for (const [what, make, says] of refused)
  test(`${what} is refused in one line`, () =>
    assert.throws(make, (error) => {
      assert.ok(error instanceof ConfigurationError);
      assert.match(error.message, says);
      return !error.message.includes('\n');
    }));

test('a scenario that changes something is told of clean-up', () => {
  assert.match(scenario('love', 'reversible').next.join('\n'), /clean-up .* `defer\(/);
  assert.doesNotMatch(scenario('look').next.join('\n'), /defer/);
});
