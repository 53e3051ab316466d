import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../src/config/project-root.ts';

/** Most of a small test's time is the start of its process, so they share some; a group as large as this takes seconds. */
const MOST = 24;

/** Test files in groups, one process each: those that have one of their own, then the others. */
export function groupsOf(files: readonly string[], isLong: (file: string) => boolean): string[][] {
  const isAlone = (file: string) => isLong(file) || !canShare(file);
  const { true: alone = [], false: sharing = [] } = Object.groupBy(files, (file) => `${isAlone(file)}`);
  const starts = sharing.keys().filter((index) => index % MOST === 0);
  return [...alone.map((file) => [file]), ...starts.map((start) => sharing.slice(start, start + MOST))];
}

/**
 * What concerns other files too and isn't taken back between them: who the process is, what it measures of itself, its certificates.
 * Scenarios are loaded once: a file that waits for what an earlier one began declares its tests in the suite of that one.
 */
const TOUCHES =
  /process\.(?:umask|seteuid|resourceUsage|cpuUsage|kill|emit|stdout\.set)|setDefaultCACertificates|^\S.*await \w*cenarios\(/m;
/** A helper is loaded once, for the first file that imports it: what it does then is missing for the next. */
const HELPER_TOUCHES =
  /^(?:const .* = )?await |^(?:(?:after|before)(?:Each)?\b|process\.[\w.]+ (?:\?\?)?=|Object\.assign\b)/m;

/** Whether a test file and the helpers that it imports leave the process to the next file as they found it. */
function canShare(file: string, touches = TOUCHES): boolean {
  const text = readFileSync(join(projectRoot, file), 'utf8');
  const helpers = [...text.matchAll(/^(?:import|export|\}).* from '(\.[^']*)';$/gm)]
    .map(([, path = '']) => join(dirname(file), path))
    .filter((path) => path.startsWith('src/testing/'));
  return !touches.test(text) && helpers.every((helper) => canShare(helper, HELPER_TOUCHES));
}
