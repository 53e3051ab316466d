import { join } from 'node:path';
import { after } from 'node:test';

// Node runs this module first in the process of each test file.

/** How long an open handle may keep a process alive after its last test, in ms. */
const MOST_MS = 60_000;

const { NODE_TEST_CONTEXT, SEXTANT_TESTS = '' } = process.env;

// In this folder, a run finds what earlier runs of the environment `local` have stored. Each test file has its own folder, which it shares
// with its child processes.
process.env.SEXTANT_OUTPUT ??= join(SEXTANT_TESTS, String(process.pid));

function end(): void {
  const open = [...new Set(process.getActiveResourcesInfo())].filter((kind) => kind !== 'PipeWrap');
  process.stderr.write(
    `${process.argv[1]} ended after ${MOST_MS / 1_000} s: something is still open (${open.join(', ')})\n`,
  );
  process.exit(1);
}

if (NODE_TEST_CONTEXT) after(() => void setTimeout(end, MOST_MS).unref());
