import type { ChildProcess } from 'node:child_process';

/**
 * Asks a runner to end with its clean-up. On Windows a signal would end it at once: Ctrl-C reaches it through the console, and
 * whatever else stops a run closes its channel, after which it interrupts itself (`launcher/end-with-starter.js`).
 */
export function interruptChild(
  child: Pick<ChildProcess, 'kill' | 'connected' | 'disconnect'>,
  platform = process.platform,
): void {
  if (platform !== 'win32') child.kill('SIGINT');
  else if (child.connected) child.disconnect();
}
