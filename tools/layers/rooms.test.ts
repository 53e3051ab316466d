import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roomComplaints } from './rooms.ts';

const rows: [what: string, imports: (readonly [file: string, target: string])[], found: RegExp | undefined][] = [
  ['the door', [['src/cli/a.ts', 'src/client/index.ts']], undefined],
  ['a file of its own room', [['src/client/calls/call.ts', 'src/client/http/wire.ts']], undefined],
  [
    'a file behind a door',
    [['src/cli/a.ts', 'src/client/calls/call.ts']],
    /a\.ts:1: .*call\.ts is inside src\/client\/\. Import it from src\/client\/index\.ts/,
  ],
  ['a side door, with its reason', [['src/cli/a.ts', 'src/client/redaction/redact.ts']], undefined],
  ['a test behind a door', [['src/cli/a.test.ts', 'src/client/calls/call.ts']], undefined],
  [
    'the history in what decides',
    [['src/monitor/status/flips.ts', 'src/monitor/history/history.ts']],
    /status\/ decides from values and the time, .*may not import src\/monitor\/history\/history\.ts.*as an argument/,
  ],
  ['another room in what decides', [['src/monitor/status/flips.ts', 'src/client/index.ts']], undefined],
  ['an inner folder that a rule names', [['src/client/verdict/judge.ts', 'src/client/http/exchange.ts']], undefined],
  [
    'two folders that import each other',
    [
      ['src/survey/asking/a.ts', 'src/survey/facts/b.ts'],
      ['src/survey/asking/c.ts', 'src/survey/facts/b.ts'],
      ['src/survey/facts/d.ts', 'src/survey/asking/a.ts'],
    ],
    /^src\/survey\/facts\/d\.ts:1: src\/survey\/facts\/ and src\/survey\/asking\/ import each other\./,
  ],
  [
    'the door of a room and its folders',
    [
      ['src/runner/index.ts', 'src/runner/parts/a.ts'],
      ['src/runner/parts/a.ts', 'src/runner/b.ts'],
    ],
    undefined,
  ],
];

for (const [what, pairs, found] of rows)
  test(`${what}: ${found ? 'refused' : 'allowed'}`, () => {
    const said = roomComplaints(
      [],
      pairs.map(([file, target]) => ({ file, line: 1, target })),
    );
    if (found) assert.match(said.join('\n'), found);
    else assert.deepEqual(said, []);
  });

test('a folder of more than twenty files is refused; tests are not counted', () => {
  const files = Array.from({ length: 21 }, (_, index) => `src/client/http/f${index}.ts`);
  assert.match(roomComplaints(files, []).join(), /^src\/client\/http\/: it holds 21 files/);
  assert.deepEqual(roomComplaints([...files.slice(1), 'src/client/http/f1.test.ts'], []), []);
});
