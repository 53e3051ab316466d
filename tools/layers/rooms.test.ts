import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roomComplaints } from './rooms.ts';

// What is allowed is in the project, and `npm run check` finds nothing against it.
const rows: [what: string, imports: (readonly [file: string, target: string])[], found: RegExp][] = [
  [
    'a file behind a door',
    [['src/cli/a.ts', 'src/client/calls/call.ts']],
    /a\.ts:1: .*call\.ts is inside src\/client\/\. Import it from src\/client\/index\.ts/,
  ],
  [
    'the history in what decides',
    [['src/monitor/status/flips.ts', 'src/monitor/history/history.ts']],
    /status\/ decides from values and the time, .*may not import src\/monitor\/history\/history\.ts.*as an argument/,
  ],
  [
    'two folders that import each other',
    [
      ['src/survey/asking/a.ts', 'src/survey/facts/b.ts'],
      ['src/survey/asking/c.ts', 'src/survey/facts/b.ts'],
      ['src/survey/facts/d.ts', 'src/survey/asking/a.ts'],
    ],
    /^src\/survey\/facts\/d\.ts:1: src\/survey\/facts\/ and src\/survey\/asking\/ import each other\./,
  ],
];

for (const [what, pairs, found] of rows)
  test(`${what}: refused`, () => {
    const said = roomComplaints(
      [],
      pairs.map(([file, target]) => ({ file, line: 1, target })),
    );
    assert.match(said.join('\n'), found);
  });

test('a folder of more than twenty files is refused; tests are not counted', () => {
  const files = Array.from({ length: 21 }, (_, index) => `src/client/http/f${index}.ts`);
  assert.match(roomComplaints(files, []).join(), /^src\/client\/http\/: it holds 21 files/);
  assert.deepEqual(roomComplaints([...files.slice(1), 'src/client/http/f1.test.ts'], []), []);
});
