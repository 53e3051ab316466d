import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../src/environment/project-root.ts';

test('every file that names the version has the same one', () => {
  const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
  const { version } = JSON.parse(read('package.json'));
  const lock = JSON.parse(read('package-lock.json'));
  const found = [
    lock.version,
    lock.packages[''].version,
    JSON.parse(read('src/cli/launcher/package.json')).version,
    /^ARG VERSION=(\S+)$/m.exec(read('deploy/Dockerfile'))?.[1],
  ];
  assert.deepEqual(found, Array(4).fill(version));
});
