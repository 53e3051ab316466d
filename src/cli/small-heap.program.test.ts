import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const skip = typeof process.execve === 'function' ? false : 'this platform cannot replace a process';

test('a process goes on in a small heap under the same pid, with its arguments', { skip }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-heap-'));
  const script = join(folder, 'script.mjs');
  const module = JSON.stringify(pathToFileURL(join(import.meta.dirname, 'small-heap.ts')).href);
  const report = 'console.log(JSON.stringify([process.pid, process.execArgv, process.argv.slice(2)]));';
  writeFileSync(script, `import { inSmallHeap } from ${module};\ninSmallHeap();\n${report}\n`);
  const child = spawn(process.execPath, [script, '--every', '5s'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk));
  await once(child, 'close');
  rmSync(folder, { recursive: true });
  const flags = ['--max-semi-space-size=2', '--max-old-space-size=160'];
  assert.deepEqual(JSON.parse(said), [child.pid, flags, ['--every', '5s']]);
});
