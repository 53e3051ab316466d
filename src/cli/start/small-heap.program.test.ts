import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { startChild } from '../../testing/programs/child.ts';
import { heapFlags } from './restart.ts';

const skip = typeof process.execve === 'function' ? false : 'this platform cannot replace a process';

test('a process goes on in a small heap under the same pid, with its arguments', { skip }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-heap-'));
  const script = join(folder, 'script.mjs');
  const addressOf = (file: string) => JSON.stringify(pathToFileURL(join(import.meta.dirname, file)).href);
  const report = 'console.log(JSON.stringify([process.pid, process.execArgv, process.argv.slice(2)]));';
  const said = async (calls: string) => {
    writeFileSync(
      script,
      `import { inHeapOf, inSmallHeap, ownProcess } from ${addressOf('restart.ts')};\n${calls}\n${report}\n`,
    );
    const child = startChild(process.execPath, [script, '--every', '5s'], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk));
    await once(child, 'close');
    const [pid, flags, args] = JSON.parse(text);
    assert.deepEqual([pid, args], [child.pid, ['--every', '5s']]);
    return flags;
  };
  assert.deepEqual(await said('ownProcess(); inSmallHeap();'), heapFlags(160));
  assert.deepEqual(await said('ownProcess(); inSmallHeap(); inHeapOf(512);'), heapFlags(512));
  assert.deepEqual(await said('ownProcess(); inSmallHeap(); inHeapOf(160);'), heapFlags(160));
  assert.deepEqual(await said('inSmallHeap(); inHeapOf(160);'), [], 'within another process');
  rmSync(folder, { recursive: true });
});
