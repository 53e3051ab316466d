import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { summarise } from '../summary.ts';
import { summaryMarkdown, summaryText } from './summary-text.ts';

const summary = summarise([
  { area: 'friends', outcome: 'passed' },
  { area: 'friends', outcome: 'failed' },
  { area: 'storage', outcome: 'skipped', reason: 'needs STORED_ITEM_IDS' },
  { area: 'features', outcome: 'unknown', reason: '429' },
]);

test('a terminal shows a row an area, the reasons and the requests', () => {
  assert.equal(
    stripVTControlCharacters(summaryText(summary, 1234)),
    `
                     passed   failed  unknown  skipped unproven
  Friends                 1        1        0        0        0
  Feature toggles         0        0        1        0        0
  Storage                 0        0        0        1        0
  Total                   1        1        1        1        0

  unknown 1 × 429
  skipped 1 × needs STORED_ITEM_IDS

  1,234 requests
`,
  );
});

test('a GitHub job shows the same as a table, below what the run was and what it failed for', () => {
  const text = summaryMarkdown(summary, { title: 'Sextant', facts: 'seed `4711`', causes: '#### cause\n' });
  assert.match(text, /^### ❌ Sextant\n\nseed `4711`\n\n#### cause\n\n\| Area/);
  assert.match(text, /^\| ❌ Friends \| 1 \| 1 \| 0 \| 0 \| 0 \|$/m);
  assert.match(text, /^\| ⏭️ Storage \| 0 \| 0 \| 0 \| 1 \| 0 \|$/m);
  assert.match(text, /^\| ❔ Feature toggles \| 0 \| 0 \| 1 \| 0 \| 0 \|$/m);
  assert.match(text, /^- 1 unknown: 429$/m);
  assert.match(text, /^- 1 skipped: needs STORED_ITEM_IDS$/m);
});
