import assert from 'node:assert/strict';
import { test } from 'node:test';
import { licencesOf, unaccepted } from './lockfile.ts';

// `npm run check` makes sure that all packages that are installed with Sextant have permissive licences.
test('another licence, or none, is named; what only development needs is not', () => {
  const found = unaccepted(
    licencesOf({
      'node_modules/a': { version: '1.0.0', license: 'MIT' },
      'node_modules/a/node_modules/@b/c': { version: '2.0.0', license: 'GPL-3.0-only' },
      'node_modules/d': { version: '3.0.0' },
      'node_modules/e': { version: '4.0.0', license: 'AGPL-3.0', dev: true },
      'src/own': { license: 'none' },
    }),
  );
  assert.deepEqual(found, ['@b/c 2.0.0: GPL-3.0-only', 'd 3.0.0: none named']);
});
