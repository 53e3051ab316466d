import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { plainEnvironment, runToEnd } from '../../testing/programs/child.ts';
import { ownFolder } from '../../testing/servers/own-service.ts';
import { smallHeap } from './restart.ts';

const skip = process.platform === 'win32' ? 'this platform cannot replace a process' : false;
const folder = ownFolder();

const restart = JSON.stringify(pathToFileURL(join(import.meta.dirname, 'restart.ts')).href);
writeFileSync(join(folder, 'typed.ts'), 'export const typed: string = "typed";\n');
writeFileSync(
  join(folder, 'start.mjs'),
  `import module from 'node:module';
if (process.argv[2] !== 'uncached') module.enableCompileCache(${JSON.stringify(join(folder, 'cache'))});
const { ownProcess, startCompiled } = await import(${restart});
ownProcess();
console.log('loaded', process.pid);
const { typed } = await import('./typed.ts');
await startCompiled();
console.log('started', process.moduleLoadList.filter((name) => name.includes('amaro')).length, process.env.SEXTANT_COMPILED);
console.log(typed, process.moduleLoadList.filter((name) => name.includes('amaro')).length, ...process.argv.slice(3));
`,
);

// In a run of tests every process has a compile cache.
const { NODE_COMPILE_CACHE: _, ...env } = plainEnvironment();

function said(...args: string[]): string[] {
  const { stdout, stderr, pid } = runToEnd(process.execPath, [join(folder, 'start.mjs'), ...args], { env });
  assert.equal(stderr, '');
  return stdout.trim().replaceAll(String(pid), 'PID').split('\n');
}

test('a process that had to take types away starts again without, once', { skip }, () => {
  const warm = ['loaded PID', 'started 0 undefined', 'typed 0 --every 5s'];
  assert.deepEqual(said('cached', '--every', '5s'), ['loaded PID', ...warm]);
  assert.deepEqual(said('cached', '--every', '5s'), warm);
});

test('without a compile cache it goes on as it is', { skip }, () => {
  assert.deepEqual(said('uncached'), ['loaded PID', 'started 1 undefined', 'typed 1']);
});

test('a process goes on in a small heap under the same pid, with its arguments and what it was started with', {
  skip,
}, () => {
  // As the launcher's, which ends it when its starter is killed.
  const watch = '--import=data:text/javascript,';
  const script = join(folder, 'script.mjs');
  const report = 'console.log(JSON.stringify([process.pid, process.execArgv, process.argv.slice(2)]));';
  const flagsOf = (calls: string, given: readonly string[] = [], more = {}) => {
    writeFileSync(script, `import { inSmallHeap, ownProcess } from ${restart};\n${calls}\n${report}\n`);
    const child = runToEnd(process.execPath, [watch, ...given, script, '--every', '5s'], { env: { ...env, ...more } });
    const [pid, flags, args] = JSON.parse(child.stdout);
    assert.deepEqual([pid, args], [child.pid, ['--every', '5s']]);
    return flags;
  };
  const own = 'ownProcess(); inSmallHeap();';
  const steady = smallHeap.slice(0, -1);
  const larger = '--max-old-space-size=512';
  assert.deepEqual(flagsOf(own), [...smallHeap, watch]);
  assert.deepEqual(flagsOf(own, [larger]), [...steady, watch, larger], 'a limit that was given stays');
  assert.deepEqual(flagsOf(own, [], { NODE_OPTIONS: larger }), [...steady, watch]);
  assert.deepEqual(flagsOf('inSmallHeap();'), [watch], 'within another process');
});
