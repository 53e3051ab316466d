/** The exit status of a command that Ctrl-C stopped. */
export const INTERRUPTED = 130;

/**
 * A signal that Ctrl-C, SIGTERM or the end of the terminal aborts, so that running work can end cleanly. A second Ctrl-C exits at
 * once; other signals come more than once anyway, to a group of processes and then from what started this one.
 */
export function interruptible(): AbortSignal {
  const controller = new AbortController();
  // Windows has Ctrl-Break besides Ctrl-C, and no SIGTERM.
  const typed = ['SIGINT', ...(process.platform === 'win32' ? ['SIGBREAK' as const] : [])] as const;
  for (const name of typed) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(INTERRUPTED);
      controller.abort();
    });
  }
  for (const name of ['SIGTERM', 'SIGHUP'] as const) process.on(name, () => controller.abort());
  return controller.signal;
}
