/** A signal that Ctrl-C or SIGTERM aborts, so that running work can end cleanly; a second one exits at once. */
export function interruptible(): AbortSignal {
  const controller = new AbortController();
  // Windows has Ctrl-Break besides Ctrl-C, and no SIGTERM.
  const names = ['SIGINT', 'SIGTERM', ...(process.platform === 'win32' ? ['SIGBREAK' as const] : [])] as const;
  for (const name of names) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(130);
      controller.abort();
    });
  }
  return controller.signal;
}
