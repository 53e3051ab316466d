import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const require = createRequire(import.meta.url);

/** How a run of Playwright Test ended. */
export interface RunEnd {
  /** 0 all passed · 1 not · 130 stopped by a signal. */
  readonly code: number;
  /** It never began, for a reason that the user can mend and was told. */
  readonly isUsage: boolean;
}

/** Runs Playwright Test in a process of its own, in this terminal; `signal` ends it as Ctrl-C does. */
export async function runPlaywright(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<RunEnd> {
  const child = spawn(process.execPath, [require.resolve('@playwright/test/cli'), 'test', ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // A group of its own: Ctrl-C reaches it once, from here, and a second one doesn't cut its clean-up short.
    detached: process.platform !== 'win32',
  });
  let isUsage = false;
  child.on('message', (message) => {
    if (typeof message === 'object' && message !== null && 'usage' in message) isUsage = true;
  });
  const stop = () => child.kill('SIGINT');
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const [code] = (await once(child, 'exit')) as [number | null];
  signal.removeEventListener('abort', stop);
  return { code: signal.aborted ? 130 : (code ?? 1), isUsage };
}
