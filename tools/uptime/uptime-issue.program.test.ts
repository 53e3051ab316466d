import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { ownFolder } from '../../src/testing/own-folder.ts';

const folder = ownFolder();
const log = join(folder, 'log');

/** A fake `gh` with one open issue that records its calls. */
writeFileSync(
  join(folder, 'gh'),
  `#!/bin/sh
printf '%s ' "$@" >> '${log}'
echo >> '${log}'
[ "$1 $2" = 'issue list' ] && echo '[{"number":7,"title":"staging: the service falls short","body":""}]'
exit 0
`,
  { mode: 0o755 },
);

function tell(environment: string, verdict: string): string[] {
  writeFileSync(log, '');
  const check = { environment, startedAt: 't', durationMs: 1, verdict, hosts: [], certificates: [], scenarios: [] };
  writeFileSync(join(folder, 'check.json'), JSON.stringify(check));
  const args = [join(import.meta.dirname, 'uptime-issue.ts'), join(folder, 'check.json'), 'https://run.example/1'];
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const calls = readFileSync(log, 'utf8').trim().split('\n');
  return calls.map((call) => call.trim()).filter((call) => !/^(label create|issue list)/.test(call));
}

const onlyPosix = { skip: process.platform === 'win32' && 'its stand-in for gh is a shell script' };

test('the issue is closed on recovery, with a word on it', onlyPosix, () => {
  assert.deepEqual(tell('staging', 'passed'), ['issue comment 7 --body-file -', 'issue close 7']);
});

test("another environment's issue is opened, not that one changed", onlyPosix, () => {
  assert.deepEqual(tell('production', 'failed'), [
    'issue create --label uptime --title production: the service falls short --body-file -',
  ]);
});
