import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../src/config/project-root.ts';
import { releaseNotes } from './release-notes.ts';

const log =
  '# Changelog\n\n## Unreleased\n\n- c\n\n## 1.1.0 (2026-11-22)\n\n### Added\n\n- b\n\n## 1.0.0\n\n- a\n\n## 0.9.0\n';
for (const [tag, version, expected] of [
  ['v1.1.0', '1.1.0', '### Added\n\n- b'],
  ['v1.0.0', '1.0.0', '- a'],
  ['v1.0.0', '1.1.0', /The tag is v1\.0\.0, and package\.json has 1\.1\.0/],
  ['v0.9.0', '0.9.0', /nothing under "## 0\.9\.0"/],
  ['v2.0.0', '2.0.0', /nothing under "## 2\.0\.0"/],
] as const)
  test(`the notes of ${tag} for ${version}`, () => {
    if (typeof expected === 'string') assert.equal(releaseNotes(tag, version, log), expected);
    else assert.throws(() => releaseNotes(tag, version, log), expected);
  });

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
