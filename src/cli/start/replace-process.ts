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
