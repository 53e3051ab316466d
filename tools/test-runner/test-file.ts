import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { projectRoot } from '../../src/config/project-root.ts';
import { plainEnvironment, signalGroup } from '../../src/testing/programs/child.ts';
import { startProgram } from '../../src/testing/programs/run-command.ts';
import { eventsIn, type FileEvent } from './events.ts';

/** Several times what a test needs on a slow machine that is busy otherwise too: they end what hangs, not what is slow. */
export interface Limits {
  /** For a test that has no limit of its own. */
  readonly testMs: number;
  readonly fileMs: number;
  /** From the end of its last test until its process ends. */
  readonly endMs: number;
}

const LIMITS: Limits = { testMs: 5 * 60_000, fileMs: 15 * 60_000, endMs: 60_000 };

/** How long nothing has been said of a file's tests. */
const quietMs = (log: string) => Date.now() - (statSync(log, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());

/**
 * Runs one or more test files in a process of their own. One that doesn't end is ended with everything that it started, fails,
 * and its running tests are named. `folder` takes its events.
 */
export async function runTestFiles(files: readonly string[], folder: string, limits: Limits = LIMITS) {
  const [first = ''] = files;
  const log = join(folder, `${first.replaceAll(/[/\\]/g, '-')}.jsonl`);
  const reporters = { spec: 'stdout', [join(import.meta.dirname, 'events.ts')]: log };
  const flags = Object.entries(reporters).flatMap(([reporter, to]) => [
    `--test-reporter=${reporter}`,
    `--test-reporter-destination=${to}`,
  ]);
  const args = [...flags, `--test-timeout=${limits.testMs}`, ...whatToRun(files)];
  // The same wherever it runs. What one process remembers of `local` is nothing to another.
  const env = { ...plainEnvironment(), SEXTANT_OUTPUT: log.replace(/jsonl$/, 'output') };
  const { child, said, ended: closed } = startProgram(process.execPath, args, { cwd: projectRoot, env });
  const began = Date.now();
  let ended: string | undefined;
  const watch = setInterval(
    () => {
      ended = reasonToEnd(eventsIn(log), { ranMs: Date.now() - began, quietMs: quietMs(log) }, limits);
      if (ended) signalGroup(child.pid as number, 'SIGKILL');
    },
    Math.min(limits.endMs / 4, 2_000),
  );
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  clearInterval(watch);
  // What it left behind would keep its output open.
  signalGroup(child.pid as number, 'SIGKILL');
  await closed;

  const events = eventsIn(log);
  const ofType = <T extends FileEvent['type']>(type: T) =>
    events.filter((event): event is Extract<FileEvent, { type: T }> => event.type === type);
  const { passed, failed, skipped } = ofType('counts')[0] ?? { passed: 0, failed: 0, skipped: 0 };
  const isKilled = passed + failed + skipped === 0;
  const problem = ended ?? (isKilled ? `it ran no test: ${signal ?? `exit ${code}`}` : undefined);
  const isRed = failed === 0 && (problem !== undefined || code !== 0);
  // The reporter explains failures at its end, which one that is killed doesn't reach.
  const failures = isKilled ? ofType('failed').map(({ title, message }) => `${title}: ${message}\n`) : [];
  return {
    counts: { passed, failed: isRed ? 1 : failed, skipped },
    skipped: ofType('skipped').map(({ title, reason }) => `${title}: ${reason}`),
    /** Everything it wrote, and why it was ended. */
    output: [said(), ...failures, ...(problem === undefined ? [] : [`${first}: ${problem}\n`])].join(''),
  };
}

function whatToRun(files: readonly string[]): string[] {
  const paths = files.map((file) => resolve(projectRoot, file));
  return paths.length === 1 ? paths : [join(import.meta.dirname, 'together.ts'), ...paths];
}

/** Why a file that hasn't ended by itself must be; `undefined` while it may go on. `quietMs`: since the last event. */
function reasonToEnd(
  events: readonly FileEvent[],
  { ranMs, quietMs }: { readonly ranMs: number; readonly quietMs: number },
  { fileMs, endMs }: Limits,
): string | undefined {
  const running = runningTests(events);
  const hasRun = events.some(({ type }) => type === 'ends');
  if (running.length === 0 && hasRun && quietMs > endMs)
    return `its tests ended, but not its process after ${seconds(endMs)}: close what they opened`;
  if (ranMs <= fileMs) return undefined;
  const where =
    running.length > 0 ? `in "${running.join(' > ')}"` : 'outside its tests: in a hook, or while it was loaded';
  return `ended after ${seconds(fileMs)}, ${where}`;
}

/** The titles of the tests that began and haven't ended, outermost first. */
function runningTests(events: readonly FileEvent[]): string[] {
  const running: { title: string; nesting: number }[] = [];
  for (const event of events) {
    if (event.type === 'begins') running.push(event);
    if (event.type !== 'ends') continue;
    const last = running.findLastIndex(({ title, nesting }) => title === event.title && nesting === event.nesting);
    if (last >= 0) running.splice(last, 1);
  }
  return running.map(({ title }) => title);
}

const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;
