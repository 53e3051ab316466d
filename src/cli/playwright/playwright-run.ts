import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fileRoles, isThere, readTextIfAny } from '../../environment/files/index.ts';
import { ConfigurationError } from '../../environment/index.ts';
import { isPackage, ownModule, projectRoot, workFolder } from '../../environment/project-root.ts';
import { exitCodes } from '../../verdict/exit-codes.ts';

const require = createRequire(import.meta.url);

/**
 * Time limit for the clean-up of an interrupted run. Without the limit, such a run may take five minutes: Playwright loses a stop signal
 * for a worker that isn't ready yet, and then waits for that worker. If the limit stops clean-up early, the undo journal lists the
 * remaining changes, so that a later run can undo them.
 */
const GRACE_MS = 20_000;

export interface RunEnd {
  /** 0: all tests passed · 1: not all passed · 3: none failed, but not all could be judged · 130: stopped by a signal. */
  readonly code: number;
  /** The run never started, because of a mistake in the configuration or the command line. A message about the mistake was printed. */
  readonly isUsage: boolean;
  readonly isEmpty: boolean;
  /** The run did not end in time, and was killed before it could print anything more. */
  readonly isKilled: boolean;
}

/** Runs Playwright Test in a child process, in this terminal; `signal` ends it like Ctrl-C. */
export async function runPlaywright(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<RunEnd> {
  // `broken-pipe` keeps a closed pipe from ending the runner in the middle of its tests. `end-with-starter` ends the runner if this process ends.
  const ending = pathToFileURL(join(projectRoot, 'src/cli/launcher/end-with-starter.js'));
  ending.search = `graceMs=${GRACE_MS}`;
  const guard = [
    ownModule('src/cli/start/broken-pipe'),
    ...(isPackage ? [ownModule('src/run/in-process/own-name')] : []),
  ]
    .map((file) => pathToFileURL(file))
    .concat(ending)
    .flatMap(({ href }) => ['--import', href]);
  const command = [require.resolve('@playwright/test/cli'), 'test', '--config', ownModule('playwright.config')];
  const child = spawn(process.execPath, [...guard, ...command, ...args], {
    cwd: workFolder,
    env: { ...process.env, ...env },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // The runner gets a separate process group. So it receives Ctrl-C only from this process, and only once: a second Ctrl-C would cut its
    // clean-up short.
    detached: process.platform !== 'win32',
  });
  const words = new Set<string>();
  child.on('message', (message) => {
    for (const word of Object.keys(message ?? {})) words.add(word);
  });
  let forced: NodeJS.Timeout | undefined;
  const stop = () => {
    interruptChild(child);
    forced = setTimeout(() => killGroup(child.pid), GRACE_MS);
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(forced);
  signal.removeEventListener('abort', stop);
  const own =
    code === exitCodes.fellShort && words.has('couldNotJudge') ? exitCodes.unjudged : (code ?? exitCodes.fellShort);
  const isRefused = code === exitCodes.fellShort && words.size === 0 && !signal.aborted;
  return {
    code: signal.aborted ? exitCodes.interrupted : own,
    isUsage: words.has('usage') || isRefused,
    isEmpty: words.has('noTests'),
    isKilled: code === null,
  };
}

/** The names of Playwright's own reporters; any other reporter is a file or a package. */
const ownReporters = ['list', 'line', 'dot', 'json', 'junit', 'null', 'github', 'html', 'blob'];

/** Splits arguments for Playwright into the reporters, which would replace those of the suite, and the other arguments. */
export function otherReportersIn(args: readonly string[]): { readonly reporters: string[]; readonly rest: string[] } {
  const reporters: string[] = [];
  const rest: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] as string;
    const [, joined = arg === '--reporter' ? args[++index] : undefined] = /^--reporter=(.*)$/.exec(arg) ?? [];
    if (joined === undefined) rest.push(arg);
    else reporters.push(...joined.split(',').filter(Boolean));
  }
  return { reporters: reporters.map(reporterNamed), rest };
}

/**
 * Finds a reporter in the same way as Playwright.
 * @throws ConfigurationError if there is none
 */
function reporterNamed(name: string): string {
  if (ownReporters.includes(name)) return name;
  const file = resolve(workFolder, name);
  if (isThere(file, { what: 'a reporter' })) return file;
  try {
    return createRequire(join(workFolder, 'package.json')).resolve(name);
  } catch {
    throw new ConfigurationError(
      `--reporter=${name}: there is no such file or package. Playwright's own are ${ownReporters.join(', ')}.`,
    );
  }
}

/** Kills the runner and its workers. The service that the runner started ends, too, because its IPC channel to the runner closes. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch (error) {
    // ESRCH: the runner has just ended, so there is nothing to kill.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * Asks a runner to clean up and end. On Windows, a signal would end the runner at once. There, the console itself passes Ctrl-C to the
 * runner. For any other stop, this function closes the runner's IPC channel, and the runner then interrupts itself
 * (`launcher/end-with-starter.js`).
 */
export function interruptChild(
  child: Pick<ChildProcess, 'kill' | 'connected' | 'disconnect'>,
  platform = process.platform,
): void {
  if (platform !== 'win32') child.kill('SIGINT');
  else if (child.connected) child.disconnect();
}

/**
 * Checks that a browser for Playwright's UI mode is installed. It isn't needed if `args` make UI mode use the user's own browser. Without
 * this check, Playwright's own error would show a page of its source code.
 * @throws ConfigurationError if no browser is installed
 */
export async function assertBrowser(args: readonly string[]): Promise<void> {
  if (args.some((arg) => /^--ui-(port|host)\b/.test(arg))) return;
  // Loaded only here, because loading takes a quarter of a second.
  const { chromium } = await import('@playwright/test');
  if (isThere(chromium.executablePath(), { what: "Playwright's browser" })) return;
  throw new ConfigurationError(
    'UI mode needs a browser: run `npx playwright install chromium` once, or use your own: `npx sextant test --ui -- --ui-port=8080`.',
  );
}

/**
 * Checks that Playwright loads the team's specs as ES modules, because the suite that they import consists of ES modules. Without `"type":
 * "module"` in package.json, Playwright would load the specs as CommonJS.
 * @throws ConfigurationError
 */
export function assertModules(): void {
  if (!isPackage || !isThere(join(workFolder, 'tests'), fileRoles.project)) return;
  const text = readTextIfAny(join(workFolder, 'package.json'), fileRoles.project);
  if (text && /"type"\s*:\s*"module"/.test(text)) return;
  throw new ConfigurationError(
    'The specs in tests/ can\'t be loaded: package.json needs `"type": "module"`. `npx --no sextant init` writes one.',
  );
}
