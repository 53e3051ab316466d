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

/** The folder for results: SEXTANT_OUTPUT, or `results`. */
export function outputFolder(env = process.env): string {
  return env.SEXTANT_OUTPUT || join(workFolder, 'results');
}

/** True for the command line of Playwright's UI mode or of an editor, in which a person chooses the tests later. */
export function isInteractive(argv: readonly string[]): boolean {
  return argv.some((word) => word === 'test-server' || /^--ui($|-|=)/.test(word));
}

const UI = 'ui';

/**
 * Gives UI mode and editors a separate output folder, because they clear their folder before each run. Another run may be writing its
 * results into the usual folder at that time.
 */
export function separateInteractive(argv: readonly string[] = process.argv, env = process.env): void {
  const folder = outputFolder(env);
  // Playwright loads the configuration again for each run, so the folder may be set already.
  if (!isInteractive(argv) || basename(folder) === UI) return;
  env.SEXTANT_STATE = stateFolder(env);
  env.SEXTANT_OUTPUT = join(folder, UI);
}

const ownUsedItems = new AsyncLocalStorage<string>();

/** The file in which runs note used stored items: in the state folder, or in the folder given to `withUsedItems`. */
export function usedItemsFile(): string {
  return join(ownUsedItems.getStore() ?? stateFolder(), 'used-items.jsonl');
}

/**
 * Does `work` with separate notes of used items. If a fault of the drill refuses the deletion of an item, the item isn't really used up.
 */
export function withUsedItems<T>(folder: string, work: () => T): T {
  return ownUsedItems.run(folder, work);
}

/** The files of a Playwright run. Later runs replace them, but keep the history. */
export function outputFiles(folder = outputFolder()) {
  return {
    allureResults: join(folder, 'allure-results'),
    report: join(folder, 'report'),
    history: join(folder, 'history.jsonl'),
    junit: join(folder, 'junit.xml'),
    playwright: join(folder, 'playwright'),
    /** Counts: {passed, failed, skipped, areas}. */
    summary: join(folder, 'summary.json'),
    /** The summary for people: Markdown, with the failures. */
    page: join(folder, 'summary.md'),
    /** The outcome of each test: [{environment, title, outcome}]. */
    outcomes: join(folder, 'outcomes.json'),
    /** Seed, versions and addresses. */
    run: join(folder, 'run.json'),
    /** Calls that the workers logged, one file for each worker. */
    calls: join(folder, 'calls'),
  };
}

/** Checks the output folders before Playwright and its reporters start, because their own writes can't be checked. @throws FileTrouble */
export function assertOutputFolder(folder = outputFolder()): void {
  const { allureResults, playwright, history } = outputFiles(folder);
  for (const path of [folder, playwright, allureResults]) assertWritableFolder(path, fileRoles.output);
  // Allure appends to this file at the end of the run.
  assertRegularFile(history, fileRoles.output);
}

interface OutputLockOptions {
  readonly signal?: AbortSignal;
  readonly say: (line: string) => void;
}

/** Makes a run wait while another run writes into the same folder. */
export function takeOutputLock({ signal, say }: OutputLockOptions): Promise<Release> {
  const folder = outputFolder();
  let isSaid = false;
  const onWait = () => {
    if (!isSaid) say(`Waiting for another run, which writes into ${folder}. SEXTANT_OUTPUT names another folder.`);
    isSaid = true;
  };
  return takeLock(join(folder, 'run.sqlite'), { signal, onWait, role: fileRoles.output });
}

/** Deletes the results of the last run, except for the history and the folder that Playwright clears itself. */
export function clearResults(folder = outputFolder()): void {
  const { history: _, playwright: __, ...files } = outputFiles(folder);
  for (const file of Object.values(files)) remove(file, fileRoles.output);
}

/** The largest history that is read, in bytes. A hundred runs of ten thousand tests need less. */
const MOST_BYTES = 500_000_000;

/**
 * Removes incomplete lines from the history, because Allure would fail on them. A killed run, a full disk or an interrupted copy leaves such lines.
 * Returns their number. Also removes the labels of earlier tests: they are two thirds of a line, and no report reads them.
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
