import { AsyncLocalStorage } from 'node:async_hooks';
import { basename, join } from 'node:path';
import {
  assertRegularFile,
  assertWritableFolder,
  fileRoles,
  readTextIfAny,
  remove,
  replaceText,
} from '../../environment/files/index.ts';
import { workFolder } from '../../environment/project-root.ts';
import { fieldsIn } from '../../http/index.ts';
import { redact } from '../../redaction/index.ts';
import { type Release, stateFolder, takeLock } from '../../safety/index.ts';

/** The folder for results: `results`, or SEXTANT_OUTPUT. */
export function outputFolder(env = process.env): string {
  return env.SEXTANT_OUTPUT || join(workFolder, 'results');
}

/** Whether a command line of Playwright is UI mode's or an editor's: what runs is chosen later, by hand. */
export function isInteractive(argv: readonly string[]): boolean {
  return argv.some((word) => word === 'test-server' || /^--ui($|-|=)/.test(word));
}

const UI = 'ui';

/** Gives UI mode and editors a separate folder: they clear the folder for each run, and another run may be writing its results. */
export function separateInteractive(argv: readonly string[] = process.argv, env = process.env): void {
  const folder = outputFolder(env);
  // The configuration is loaded again for each run.
  if (!isInteractive(argv) || basename(folder) === UI) return;
  env.SEXTANT_STATE = stateFolder(env);
  env.SEXTANT_OUTPUT = join(folder, UI);
}

const ownUsedItems = new AsyncLocalStorage<string>();

/** Where runs note which stored items are used up: in the state folder, or where `withUsedItems` says. */
export function usedItemsFile(): string {
  return join(ownUsedItems.getStore() ?? stateFolder(), 'used-items.jsonl');
}

/** Runs `work` with separate notes of used items, because items that a drill's faults refuse are not used up. */
export function withUsedItems<T>(folder: string, work: () => T): T {
  return ownUsedItems.run(folder, work);
}

/** The files of a Playwright run. The history and the used items outlive it; the rest is replaced. */
export function outputFiles(folder = outputFolder()) {
  return {
    allureResults: join(folder, 'allure-results'),
    report: join(folder, 'report'),
    history: join(folder, 'history.jsonl'),
    junit: join(folder, 'junit.xml'),
    playwright: join(folder, 'playwright'),
    /** Counts: {passed, failed, skipped, areas}. */
    summary: join(folder, 'summary.json'),
    /** The same for people, in Markdown, with the failures. */
    page: join(folder, 'summary.md'),
    /** The outcome of each test: [{environment, title, outcome}]. */
    outcomes: join(folder, 'outcomes.json'),
    /** Seed, versions and addresses. */
    run: join(folder, 'run.json'),
    /** Calls that the workers logged, a file for each. */
    calls: join(folder, 'calls'),
  };
}

/** Tried before Playwright and its reporters start: they write where nothing can be checked any more. @throws FileTrouble */
export function assertOutputFolder(folder = outputFolder()): void {
  const { allureResults, playwright, history } = outputFiles(folder);
  for (const path of [folder, playwright, allureResults]) assertWritableFolder(path, fileRoles.output);
  // Allure adds to it at the end.
  assertRegularFile(history, fileRoles.output);
}

interface OutputLockOptions {
  readonly signal?: AbortSignal;
  readonly say: (line: string) => void;
}

/** Keeps two runs that write into the same folder apart. */
export function takeOutputLock({ signal, say }: OutputLockOptions): Promise<Release> {
  const folder = outputFolder();
  let isSaid = false;
  const onWait = () => {
    if (!isSaid) say(`Waiting for another run, which writes into ${folder}. SEXTANT_OUTPUT names another folder.`);
    isSaid = true;
  };
  return takeLock(join(folder, 'run.sqlite'), { signal, onWait, role: fileRoles.output });
}

/** Deletes what the last run left, but for the history. */
export function clearResults(folder = outputFolder()): void {
  const { history: _, playwright: __, ...files } = outputFiles(folder);
  for (const file of Object.values(files)) remove(file, fileRoles.output);
}

/** A hundred runs of ten thousand tests are smaller. */
const MOST_BYTES = 500_000_000;

/**
 * Takes out of the history what a killed run, a full disk or half a copy cut: Allure would fail on it. Returns how many lines that were. The labels of
 * earlier tests go, too: they are two thirds of a line, and no report reads them.
 */
export function mendHistory(folder = outputFolder()): number {
  const { history } = outputFiles(folder);
  const text = readTextIfAny(history, fileRoles.output, MOST_BYTES) ?? '';
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const whole = lines.map((line) => fieldsIn(line)).filter(({ testResults }) => testResults instanceof Object);
  const unlessLabels = (key: string, value: unknown) => (key === 'labels' ? undefined : value);
  // Each line needs a line break: without it, Allure would append the next run to the last line.
  const mended = whole.map((run) => `${JSON.stringify(run, unlessLabels)}\n`).join('');
  if (mended !== text) replaceText(history, redact(mended), fileRoles.output);
  return lines.length - whole.length;
}
