import assert from 'node:assert/strict';
import { test } from 'node:test';
import { showsColours } from './terminal.ts';

const [terminal, pipe, file] = ['terminal', 'pipe', 'file'] as const;
const github = { CI: 'true', GITHUB_ACTIONS: 'true' };

const rows: [output: 'terminal' | 'pipe' | 'file', env: NodeJS.ProcessEnv, isColoured: boolean][] = [
  [terminal, {}, true],
  [terminal, { CI: 'false' }, true],
  [terminal, { TERM: 'dumb' }, false],
  [terminal, { NO_COLOR: '1' }, false],
  [terminal, { NO_COLOR: '' }, true],
  [terminal, { FORCE_COLOR: '0' }, false],
  [terminal, { FORCE_COLOR: 'false' }, false],
  [pipe, {}, false],
  [pipe, { CI: 'false' }, false],
  // Some CI systems, such as Jenkins, would show the escape codes in their logs as text.
  [pipe, { CI: 'true' }, false],
  [pipe, { CI: 'true', TERM: 'dumb' }, false],
  [pipe, github, true],
  [pipe, { CI: 'true', GITLAB_CI: 'true' }, true],
  [pipe, { TF_BUILD: 'True' }, true],
  [pipe, { GITHUB_ACTIONS: 'false' }, false],
  [pipe, { ...github, TERM: 'dumb' }, false],
  [pipe, { ...github, FORCE_COLOR: '0' }, false],
  [pipe, { ...github, NO_COLOR: '1' }, false],
  [pipe, { FORCE_COLOR: '1' }, true],
  [pipe, { FORCE_COLOR: '' }, true],
  [pipe, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  [file, github, false],
  [file, { FORCE_COLOR: '1' }, true],
];
for (const [output, env, isColoured] of rows)
  test(`${isColoured ? 'colours' : 'no colours'} in a ${output} with ${JSON.stringify(env)}`, () => {
    assert.equal(showsColours(env, { isTerminal: output === 'terminal', isFile: output === 'file' }), isColoured);
  });
