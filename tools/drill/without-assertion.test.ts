import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutEachAssertion } from './without-assertion.ts';

const source = `
scenario('block, then list', { tag: [] }, async ({ friends, defer }) => {
  await friends.block({ friendId: f(1) }).succeeds('documented: (it) is done');
  defer(() => friends.unblock({ friendId: 'a' }).settles());
  await friends
    .listBlocked()
    .eventually((list) => expect(list, "documented: isn't (a list)").not.toMention(name(x.id ?? '')));
});
`;
const mutants = withoutEachAssertion(source);

test('each assertion is taken out once, clean-up is left alone', () => {
  assert.deepEqual(
    mutants.map(({ line, title }) => [line, title]),
    [
      [3, 'block, then list'],
      [7, 'block, then list'],
      [7, 'block, then list'],
    ],
  );
});

test('a judgement takes anything, an expectation goes with its whole chain', () => {
  assert.match(mutants[0]?.source ?? '', /friendId: f\(1\) }\)\.anything\('documented: \(it\) is done'\);/);
  assert.match(mutants[1]?.source ?? '', /\.anything\(\(list\) => expect\(list/);
  assert.match(mutants[2]?.source ?? '', /\.eventually\(\(list\) => undefined\);/);
});
