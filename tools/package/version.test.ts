import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../src/environment/project-root.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

test('every file that names the version has the same one', () => {
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

test('the image, the dev container and a version manager take the same Node', () => {
  const named = [
    /^ARG BASE=(\S+)-slim$/m.exec(read('deploy/Dockerfile'))?.[1],
    `docker.io/library/node:${read('.nvmrc').trim()}-bookworm`,
  ];
  assert.deepEqual(named, Array(2).fill(JSON.parse(read('.devcontainer/devcontainer.json')).image));
});
