import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { projectRoot } from '../config/project-root.ts';

const require = createRequire(import.meta.url);

/**
 * How long an interrupted run may take for its clean-up. Playwright loses the stop of a worker that isn't ready yet, and then
 * waits for it for five minutes. What is left undone stands in the undo journal.
 */
const GRACE_MS = 20_000;

/** How a run of Playwright Test ended. */
export interface RunEnd {
  /** 0 all passed · 1 not · 130 stopped by a signal. */
  readonly code: number;
  /** It never began, for a reason that the user can mend and was told. */
  readonly isUsage: boolean;
  /** No test matched what was asked for. */
  readonly isEmpty: boolean;
}

/** Runs Playwright Test in a process of its own, in this terminal; `signal` ends it as Ctrl-C does. */
export async function runPlaywright(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<RunEnd> {
  // Without the guard, a reader that goes away ends the runner in the middle of its tests.
  const guard = ['--import', new URL('broken-pipe.ts', import.meta.url).href];
  const child = spawn(process.execPath, [...guard, require.resolve('@playwright/test/cli'), 'test', ...args], {
    cwd: projectRoot,
    env: { ...process.env, ...env },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // A group of its own: Ctrl-C reaches it once, from here, and a second one doesn't cut its clean-up short.
    detached: process.platform !== 'win32',
  });
  let isUsage = false;
  let isEmpty = false;
  child.on('message', (message) => {
    if (typeof message !== 'object' || message === null) return;
    if ('usage' in message) isUsage = true;
    if ('noTests' in message) isEmpty = true;
  });
  let forced: NodeJS.Timeout | undefined;
  const stop = () => {
    child.kill('SIGINT');
    forced = setTimeout(() => killGroup(child.pid), GRACE_MS);
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(forced);
  signal.removeEventListener('abort', stop);
  return { code: signal.aborted ? 130 : (code ?? 1), isUsage, isEmpty };
}

/** Ends the runner with its workers; the service it started ends when its channel does. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch (error) {
    // It ended in this very moment.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
