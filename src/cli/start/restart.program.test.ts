import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { plainEnvironment, runToEnd } from '../../testing/programs/child.ts';
import { ownFolder } from '../../testing/servers/own-service.ts';
import { heapFlags } from './restart.ts';

const skip = process.platform === 'win32' ? 'this platform cannot replace a process' : false;
const folder = ownFolder();

const restart = JSON.stringify(pathToFileURL(join(import.meta.dirname, 'restart.ts')).href);

// In a run of tests every process has a compile cache.
const { NODE_COMPILE_CACHE: _, ...env } = plainEnvironment();

test('a process goes on in a small heap under the same pid, with its arguments and what it was started with', {
  skip,
}, () => {
  // As the launcher's, which ends it when its starter is killed.
  const watch = '--import=data:text/javascript,';
  const script = join(folder, 'script.mjs');
  const report = 'console.log(JSON.stringify([process.pid, process.execArgv, process.argv.slice(2)]));';
  const flagsAfter = (calls: string) => {
    writeFileSync(script, `import { inHeapOf, inSmallHeap, ownProcess } from ${restart};\n${calls}\n${report}\n`);
    const child = runToEnd(process.execPath, [watch, script, '--every', '5s'], { env });
    const [pid, flags, args] = JSON.parse(child.stdout);
    assert.deepEqual([pid, args], [child.pid, ['--every', '5s']]);
    return flags;
  };
  assert.deepEqual(flagsAfter('ownProcess(); inSmallHeap();'), [...heapFlags(160), watch]);
  assert.deepEqual(flagsAfter('ownProcess(); inSmallHeap(); inHeapOf(512);'), [...heapFlags(512), watch]);
  assert.deepEqual(flagsAfter('ownProcess(); inSmallHeap(); inHeapOf(160);'), [...heapFlags(160), watch]);
  assert.deepEqual(flagsAfter('inSmallHeap(); inHeapOf(160);'), [watch], 'within another process');
});
