import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

for (const file of globSync('*.ts', { cwd: import.meta.dirname }).filter((name) => !name.endsWith('.test.ts')))
  test(`${file} is more than the skeleton that \`sextant new channel\` writes`, () =>
    assert.doesNotMatch(readFileSync(`${import.meta.dirname}/${file}`, 'utf8'), /is not written yet/));
