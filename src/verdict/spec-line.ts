import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface SpecLine {
  /** Absolute path. */
  readonly file: string;
  readonly line: number;
  readonly column?: number;
}

/**
 * Names of spec files, and of the tables of cases next to specs. The folder is not part of the pattern, because a team's whole project may
 * be in a folder `tests`.
 */
const SPEC_FILE = /(?:[\\/][\w-]+-cases|\.(?:spec|test))\.[cm]?[jt]s$/;

export function isSpecFile(file: string): boolean {
  return SPEC_FILE.test(file);
}

export function specLineOf(stack: string | undefined): SpecLine | undefined {
  return placesOf(stack).find(({ file }) => isSpecFile(file));
}

/** The first line in a stack that is in a spec. If there is none, the line of the team's helper that threw. */
export function lineOfMistake(stack: string | undefined): SpecLine | undefined {
  return specLineOf(stack) ?? teamLineOf(stack);
}

/**
 * The line of a spec or of a team's helper that an error comes from, directly or through a library. `undefined` if the error comes from the
 * suite, or if no line is known.
 */
export function teamLineOf(stack: string | undefined): SpecLine | undefined {
  const first = firstOwnPlace(stack);
  return first && !isOfSuite(first.file) ? first : undefined;
}

/** Whether an error comes from the suite's own code, or from a library that this code calls. */
export function isThrownBySuite(stack: string | undefined): boolean {
  const first = firstOwnPlace(stack);
  return first !== undefined && isOfSuite(first.file);
}

function firstOwnPlace(stack: string | undefined): SpecLine | undefined {
  return placesOf(stack).find(({ file }) => isOfSuite(file) || !/[\\/]node_modules[\\/]/.test(file));
}

const root = join(import.meta.dirname, '..', '..');
const own = ['src', 'fixtures', 'reference-service', 'tools'].map((folder) => join(root, folder, sep));

/** Whether a file belongs to Sextant's own source and isn't a spec. */
export function isOfSuite(file: string): boolean {
  return own.some((folder) => file.startsWith(folder)) && !isSpecFile(file);
}

function placesOf(stack = ''): SpecLine[] {
  const frames = stack.matchAll(/^\s+at (?:.*? \()?(?:async )?((?:file:\/\/)?[^()\s][^()\n]*?):(\d+):(\d+)\)?$/gm);
  return [...frames].flatMap(([, place = '', line, column]) => {
    const file = place.startsWith('file:') ? fileURLToPath(place) : place;
    return file.startsWith('node:') ? [] : [{ file, line: Number(line), column: Number(column) }];
  });
}

/** A line as messages show it: `tests/scenarios/love.spec.ts:12`; for a file outside of `tests/`, only its name. */
export function lineText({ file, line }: SpecLine): string {
  const inTests = /(?:^|[\\/])(tests[\\/][\w-]+[\\/][\w.-]+)$/.exec(file)?.[1] ?? /[^\\/]*$/.exec(file)?.[0] ?? file;
  return `${inTests.replaceAll('\\', '/')}:${line}`;
}
