import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface SpecLine {
  /** Absolute. */
  readonly file: string;
  readonly line: number;
  readonly column?: number;
}

/** Files with specs: specs and the cases next to them, by their names, because the project's folder may be called `tests`. */
const SPEC_FILE = /(?:[\\/][\w-]+-cases|\.(?:spec|test))\.[cm]?[jt]s$/;

export function isSpecFile(file: string): boolean {
  return SPEC_FILE.test(file);
}

export function specLineOf(stack: string | undefined): SpecLine | undefined {
  return placesOf(stack).find(({ file }) => isSpecFile(file));
}

/** The line of a spec, else of the helper that a stack ends in. */
export function lineOfMistake(stack: string | undefined): SpecLine | undefined {
  return specLineOf(stack) ?? teamLineOf(stack);
}

/**
 * The line of a spec, or of a team's helper, that an error comes from, perhaps by a library; `undefined` where it is the suite's, or no line is
 * known.
 */
export function teamLineOf(stack: string | undefined): SpecLine | undefined {
  const first = firstOwnPlace(stack);
  return first && !isOfSuite(first.file) ? first : undefined;
}

/** Whether an error is of the suite's own code, or of a library that this calls. */
export function isThrownBySuite(stack: string | undefined): boolean {
  const first = firstOwnPlace(stack);
  return first !== undefined && isOfSuite(first.file);
}

function firstOwnPlace(stack: string | undefined): SpecLine | undefined {
  return placesOf(stack).find(({ file }) => isOfSuite(file) || !/[\\/]node_modules[\\/]/.test(file));
}

const root = join(import.meta.dirname, '..', '..');
const own = ['src', 'fixtures', 'reference-service', 'tools'].map((folder) => join(root, folder, sep));

/** Whether a file is of Sextant's own source. */
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

/** `tests/scenarios/love.spec.ts:12`; a file outside of `tests/` by its name alone. */
export function lineText({ file, line }: SpecLine): string {
  const inTests = /(?:^|[\\/])(tests[\\/][\w-]+[\\/][\w.-]+)$/.exec(file)?.[1] ?? /[^\\/]*$/.exec(file)?.[0] ?? file;
  return `${inTests.replaceAll('\\', '/')}:${line}`;
}
