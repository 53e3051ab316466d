import assert from 'node:assert/strict';
import { test } from 'node:test';
import { complaintsOf } from './check-links.ts';
import { withPart } from './generated-pages.ts';

const rows: [text: string, complaint: RegExp | undefined][] = [
  ['`npx sextant check --env local`', undefined],
  ['`npx sextant chek --env local`', /unknown command `sextant chek`/],
  ['`npx sextant check --environment local`', /`sextant check` has no option --environment/],
  ['`npx sextant environments list`', undefined],
  ['see `src/client/calls/call.ts`', undefined],
  ['see `src/client/cal.ts`', /src\/client\/cal\.ts does not exist/],
  ['[a page](ARCHITECTURE.md)', undefined],
  ['[a page](ARCHITEKTUR.md)', /broken link ARCHITEKTUR\.md/],
  ['[elsewhere](https://example.org/x)', undefined],
  ['`npm run check`', undefined],
  ['`npm run chekc`', /unknown npm script chekc/],
];

for (const [text, expected] of rows) {
  test(`${text} → ${expected ?? 'fine'}`, () => {
    const complaints = complaintsOf('README.md', text);
    if (expected) assert.match(complaints.map((complaint) => complaint.text).join('\n'), expected);
    else assert.deepEqual(complaints, []);
  });
}

test('a generated part is replaced, and nothing around it', () => {
  assert.equal(withPart('a\n<!-- x -->\nold\n<!-- /x -->\nb', 'x', 'new'), 'a\n<!-- x -->\nnew\n<!-- /x -->\nb');
  assert.throws(() => withPart('a', 'x', 'new'), /has no <!-- x -->/);
});
