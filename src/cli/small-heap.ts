/**
 * For a process that runs for months with little live data: without a limit, V8's young heap would keep growing. V8
 * reads its flags only at start, so the process replaces itself under the same pid.
 */
const flags = ['--max-semi-space-size=2', '--max-old-space-size=160'];

/** Continues in a small heap if the platform can replace a process, otherwise in the normal one. */
export function inSmallHeap(): void {
  const isSmall = process.execArgv.includes(flags[0] ?? '');
  if (isSmall || process.platform === 'win32' || typeof process.execve !== 'function') return;
  const args = [process.execPath, ...flags, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, args, process.env as Record<string, string>);
}
