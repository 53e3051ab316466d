import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import { missing, outputOf } from './programs.ts';
import { prometheusFiles } from './rules.ts';

for (const file of prometheusFiles('timelines/*.yml'))
  test(`the timelines of ${basename(file)}`, { skip: missing('promtool') }, () => {
    const { code, text } = outputOf('promtool', ['test', 'rules', file]);
    assert.equal(code, 0, text);
    assert.match(text, /SUCCESS/);
  });
