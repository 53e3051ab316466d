import assert from 'node:assert/strict';
import { test } from 'node:test';
import { categories } from './categories.ts';

const rows: { message: string; status?: 'skipped'; category: string | undefined }[] = [
  { message: 'Unreachable: block: POST https://friends', category: 'unreachable' },
  { message: 'Refused: block: POST https://friends', category: 'refused' },
  { message: 'Drifted: block: POST https://friends', category: 'drifted' },
  { message: 'Error: learned: the name is a text', category: 'drifted' },
  { message: 'Failed: block: POST https://friends', category: 'failed' },
  { message: 'Error: documented: the list mentions a friend just blocked', category: 'failed' },
  { message: 'Error: assumed: a refused block has no effect', category: 'failed' },
  { message: 'Unknown: block: POST https://friends', category: 'unknown' },
  { message: 'UnjudgedCall: 1 call(s) left unjudged', category: 'unjudged' },
  { message: 'NotAllowed: block was not sent', category: 'suite-fault' },
  { message: 'TypeError: x is not a function', category: undefined },
  { message: 'not allowed in production: its effect is irreversible', status: 'skipped', category: 'not-allowed' },
  { message: 'needs FLAG_KEY', status: 'skipped', category: 'no-data' },
];

for (const { message, status, category } of rows) {
  test(`${message} → ${category ?? 'no category of ours'}`, () => {
    const found = categories.find(
      ({ matchers }) => matchers.statuses?.includes(status ?? 'failed') && matchers.message?.test(message),
    );
    assert.equal(found?.id, category);
  });
}
