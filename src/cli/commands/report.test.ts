import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openerOf, openPage } from './report.ts';

test('each system has its own opener', () => {
  assert.deepEqual(openerOf('darwin'), ['open']);
  assert.deepEqual(openerOf('linux'), ['xdg-open']);
  assert.equal(openerOf('win32')[0], 'cmd');
});

test('where there is none, the page is not opened, and nothing is thrown', async (t) => {
  const path = process.env.PATH ?? '';
  t.after(() => {
    process.env.PATH = path;
  });
  process.env.PATH = '/nowhere';
  assert.equal(await openPage('/x/index.html', 'linux'), false);
});
