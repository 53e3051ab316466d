import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ParseResult, parseSync } from 'oxc-parser';
import { projectRoot } from '../src/config/project-root.ts';
import { writeFiles } from '../src/testing/own-folder.ts';

/** The texts of the files that match, by their paths from the root. */
export function textsOf(patterns: string | readonly string[]): Map<string, string> {
  const files = globSync(patterns, { cwd: projectRoot, exclude: ['node_modules', 'results', 'dist'] })
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
  return new Map(files.map((file) => [file, readFileSync(join(projectRoot, file), 'utf8')]));
}

/** A file of the project, parsed once for all that is asked of it. */
export interface Source {
  readonly file: string;
  readonly text: string;
  readonly program: ParseResult['program'];
}

export function sourceOf(file: string, text: string): Source {
  return { file, text, program: parseSync(file, text).program };
}

/** The line of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** What the compiler says of files, by their names, that import the project's packages, or its own files by whole paths. */
export function compiled(texts: Readonly<Record<string, string>>): string {
  const cache = join(projectRoot, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'compiled-'));
  try {
    const config = { extends: join(projectRoot, 'tsconfig.json'), include: Object.keys(texts), exclude: [] };
    writeFiles(folder, { ...texts, 'tsconfig.json': config });
    const tsc = join(projectRoot, 'node_modules', '.bin', 'tsc');
    // Several checkers work out the same types, each for itself.
    return spawnSync(tsc, ['-p', folder, '--checkers', '1'], { cwd: folder, encoding: 'utf8' }).stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
