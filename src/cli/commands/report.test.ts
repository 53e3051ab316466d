import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage } from './report.ts';

test('where no program opens it, the page is not opened, and nothing is thrown', async (t) => {
  const path = process.env.PATH ?? '';
  t.after(() => {
    process.env.PATH = path;
  });
  process.env.PATH = '/nowhere';
  assert.equal(await openPage('/x/index.html'), false);
});
