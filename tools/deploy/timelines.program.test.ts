import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missing, outputOf } from './programs.ts';
import { prometheusFiles } from './rules.ts';

test('the timelines of the rules', { skip: missing('promtool') }, () => {
  const files = prometheusFiles('timelines/*.yml');
  const { code, text } = outputOf('promtool', ['test', 'rules', ...files]);
  assert.equal(code, 0, text);
  assert.equal(text.match(/SUCCESS/g)?.length, files.length);
});
