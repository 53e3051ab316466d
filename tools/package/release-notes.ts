import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/config/project-root.ts';

/**
 * The notes of the release that a tag names: its section of the changelog.
 * @throws where tag, version and changelog don't agree.
 */
export function releaseNotes(tag: string, version: string, changelog: string): string {
  if (tag !== `v${version}`)
    throw new Error(`The tag is ${tag}, and package.json has ${version}: the tag must be v${version}.`);
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((each) => each.split('\n', 1)[0]?.split(' ', 1)[0] === version);
  const notes = section?.slice(section.indexOf('\n')).trim();
  if (!notes)
    throw new Error(`CHANGELOG.md has nothing under "## ${version}". Rename "Unreleased", or write what changed.`);
  return notes;
}

if (import.meta.main) {
  const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
  try {
    const notes = releaseNotes(process.argv[2] ?? '', JSON.parse(read('package.json')).version, read('CHANGELOG.md'));
    process.stdout.write(`${notes}\n`);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
