import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ParseResult, parseSync } from 'oxc-parser';
import { projectRoot } from '../src/environment/project-root.ts';

/** The texts of the files that match `patterns`, by their paths from the root. */
export function textsOf(patterns: string | readonly string[]): Map<string, string> {
  const files = globSync(patterns, { cwd: projectRoot, exclude: ['node_modules', 'results', 'dist'] })
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
  return new Map(files.map((file) => [file, readFileSync(join(projectRoot, file), 'utf8')]));
}

/** A file of the project, parsed once for all checks. */
export interface Source {
  readonly file: string;
  readonly text: string;
  readonly program: ParseResult['program'];
}

export function sourceOf(file: string, text: string): Source {
  return { file, text, program: parseSync(file, text).program };
}

/** The line of an offset, counted from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
