import module from 'node:module';

/** Whether this process runs one command and nothing else. */
let isOwn = false;

/** To be called where the program starts: any other process that calls a command, as a test does, has more to do. */
export function ownProcess(): void {
  isOwn = true;
}

/** Windows can't replace a process, nor can an older Node. */
export function canReplaceProcess(): boolean {
  return isOwn && process.platform !== 'win32' && typeof process.execve === 'function';
}

/** Starts the command anew with other flags of Node, under the same pid; returns if the process can't be replaced. */
export function replaceProcess(flags: readonly string[], env: Readonly<Record<string, string>> = {}): void {
  if (!canReplaceProcess()) return;
  const args = [process.execPath, ...flags, ...process.argv.slice(1)];
  process.execve?.(process.execPath, args, { ...process.env, ...env } as Record<string, string>);
}

/** Set in the environment of the process that continues, so that it doesn't begin again. */
const AGAIN = 'SEXTANT_COMPILED';

/**
 * For a process that runs for months: what takes the types out of modules stays in memory, 27 MB, and Node loads it for a single module
 * that isn't in the compile cache, as at the first start after an update. So the process writes the cache and replaces itself under the
 * same pid, once. To be called when its modules are loaded, and before it has opened anything; `loadRest` loads those that it would load later.
 */
export async function startCompiled(loadRest: () => Promise<unknown>): Promise<void> {
  const isAgain = process.env[AGAIN] !== undefined;
  delete process.env[AGAIN];
  if (isAgain || !hasLoadedStripper() || !module.getCompileCacheDir?.() || !canReplaceProcess()) return;
  await loadRest();
  module.flushCompileCache();
  replaceProcess(process.execArgv, { [AGAIN]: '1' });
}

/** Node's list of what it has loaded of itself; where there is none, the process stays as it is. */
function hasLoadedStripper(): boolean {
  const { moduleLoadList = [] } = process as { readonly moduleLoadList?: readonly string[] };
  return moduleLoadList.some((name) => name.includes('/amaro/'));
}
