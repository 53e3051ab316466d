import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../src/config/project-root.ts';

/** Most of a small test's time is the start of its process, so those of a folder share one; a group as large as this takes seconds. */
const MOST = 16;

/** Test files in groups, one process each; the order is kept. */
export function groupsOf(files: readonly string[], isLong: (file: string) => boolean): string[][] {
  const groups: string[][] = [];
  const open = new Map<string, string[]>();
  for (const file of files) {
    const folder = file.split('/').slice(0, 2).join('/');
    const group = open.get(folder);
    if (isLong(file) || !leavesProcessAlone(file)) groups.push([file]);
    else if (group && group.length < MOST) group.push(file);
    else {
      open.set(folder, [file]);
      groups.push(open.get(folder) as string[]);
    }
  }
  return groups;
}

/** What concerns the next file too; tests that are declared after an `await` lose the suite that they belong to. */
const TOUCHES = /\bprocess\.|\bmock\b|globalThis|setDefaultCACertificates|console\.|^(?:const .* = )?await /m;
/** A helper is loaded once, for the first file that imports it. */
const HELPER_TOUCHES = new RegExp(`${TOUCHES.source}|^(?:after|before)\\(`, 'm');

/** Whether a test file and the helpers that it imports change nothing that another file in the process would see. */
export function leavesProcessAlone(file: string, touches = TOUCHES): boolean {
  const text = readFileSync(join(projectRoot, file), 'utf8');
  const helpers = [...text.matchAll(/^(?:import|export|\}).* from '(\.[^']*)';$/gm)]
    .map(([, path = '']) => join(dirname(file), path))
    .filter((path) => path.startsWith('src/testing/'));
  return !touches.test(text) && helpers.every((helper) => leavesProcessAlone(helper, HELPER_TOUCHES));
}
