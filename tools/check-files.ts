import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../src/config/project-root.ts';

/** The texts of the files that match, by their paths from the root. */
export function textsOf(patterns: string | readonly string[]): Map<string, string> {
  const files = globSync(patterns, { cwd: projectRoot, exclude: ['node_modules', 'results', 'dist'] })
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
  return new Map(files.map((file) => [file, readFileSync(join(projectRoot, file), 'utf8')]));
}

/** Prints complaints, which fail a check. */
export function complain(complaints: readonly string[]): void {
  for (const complaint of complaints) process.stderr.write(`${complaint}\n`);
  if (complaints.length > 0) process.exitCode = 1;
}
