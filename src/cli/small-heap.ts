/**
 * A process that runs for months and keeps little alive: V8's young heap would grow for as long as nobody limits it. The
 * flags are read at start alone, so the process starts itself again under the same pid.
 */
const flags = ['--max-semi-space-size=2', '--max-old-space-size=160'];

/** Goes on in a small heap where the platform can replace a process; elsewhere in an ordinary one. */
export function inSmallHeap(): void {
  const isSmall = process.execArgv.includes(flags[0] ?? '');
  if (isSmall || process.platform === 'win32' || typeof process.execve !== 'function') return;
  const args = [process.execPath, ...flags, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, args, process.env as Record<string, string>);
}
