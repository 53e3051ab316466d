import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainEnvironment, runToEnd } from '../../testing/programs/child.ts';
import { ownEnvironments } from '../../testing/servers/own-service.ts';
import { environmentText } from '../../testing/test-environment.ts';

// An environment at whose addresses nothing listens.
const down = environmentText('http://127.0.0.1:1', { REQUEST_TIMEOUT_MS: '2000', ALLOWED_EFFECTS: 'read' });
const { env } = ownEnvironments({ down });

/**
 * Runs a command whose reader closes the pipe after the first line. With `set -o pipefail`, bash ends with the exit code of the command,
 * not with that of `head`.
 */
function headOf(args: string) {
  const command = `set -o pipefail; "${process.execPath}" src/cli/sextant.ts ${args} | head -n 1`;
  return runToEnd('bash', ['-c', command], { env: { ...plainEnvironment(), ...env } });
}

const rows: [args: string, status: number][] = [
  ['openapi --env down', 0],
  ['check --env down', 1],
  // Nothing listens at the address, so each test fails. Run only one, because Playwright starts a new worker after each failed test, which
  // takes time.
  ['test --env down --grep evaluate.a.flag.with.default', 1],
];

for (const [args, expected] of rows) {
  test(`a reader that stops reading leaves the exit code of \`${args}\` at ${expected}`, () => {
    const { status, stderr } = headOf(args);
    assert.equal(status, expected, stderr);
    assert.doesNotMatch(stderr, /EPIPE|\n\s+at /);
  });
}

test('output that can’t be written is an error in one line', {
  skip: process.platform !== 'linux' && 'needs /dev/full',
}, () => {
  const command = `"${process.execPath}" src/cli/sextant.ts openapi --env local > /dev/full`;
  const { status, stderr } = runToEnd('sh', ['-c', command]);
  assert.equal(status, 2);
  assert.match(stderr, /^The output can't be written \(ENOSPC\)\. .*\n$/);
});
