import assert from 'node:assert/strict';
import { test } from 'node:test';
import { complaintsOf } from './check-links.ts';
import { withPart } from './generated-pages.ts';

// What is right is in the pages, and `npm run check` has no complaint of it.
const rows: [text: string, complaint: RegExp][] = [
  ['`npx sextant chek --env local`', /unknown command `sextant chek`/],
  ['`npx sextant check --environment local`', /`sextant check` has no option --environment/],
  ['see `src/client/cal.ts`', /src\/client\/cal\.ts does not exist/],
  ['[a page](ARCHITEKTUR.md)', /broken link ARCHITEKTUR\.md/],
  ['`npm run chekc`', /unknown npm script chekc/],
];

for (const [text, expected] of rows) {
  test(`${text} → ${expected}`, () => {
    assert.match(complaintsOf('README.md', text).join('\n'), expected);
  });
}

test('a generated part is replaced, and nothing around it', () => {
  assert.equal(withPart('a\n<!-- x -->\nold\n<!-- /x -->\nb', 'x', 'new'), 'a\n<!-- x -->\nnew\n<!-- /x -->\nb');
  assert.throws(() => withPart('a', 'x', 'new'), /has no <!-- x -->/);
});
