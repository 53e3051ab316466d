import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';

/** A new temporary folder, which `end` removes. */
export function temporaryFolder(parent = tmpdir()): { readonly path: string; end(): void } {
  const path = mkdtempSync(join(parent, 'sextant-own-'));
  return { path, end: () => rmSync(path, { recursive: true, force: true }) };
}

/** A folder in memory, which some machines have. */
const MEMORY = '/dev/shm';

/** Minimum free space in bytes. Containers often have only a few megabytes there. */
const LEAST_FREE = 1e9;

/**
 * The fastest parent for folders with small files, because what runs flush to disk would cost more time than most tests take. Memory keeps a file
 * when a process is killed, and no test is about power cuts.
 */
export function fastFolder(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > LEAST_FREE ? MEMORY : tmpdir();
}

/**
 * A folder for one test, or for all tests of a file if no test is running yet. The folder is removed at the end of the test or the file.
 */
export function ownFolder(): string {
  const { path, end } = temporaryFolder();
  after(end);
  return path;
}

/** Files by name, each a text or a value that becomes JSON. */
export type Files = Readonly<Record<string, unknown>>;

export function writeFiles(folder: string, files: Files): string {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

/** A folder for tests of commands: environment files with these texts by name, and a folder for the output. */
export function ownEnvironments(texts: Readonly<Record<string, string>>) {
  const folder = ownFolder();
  const environments = join(folder, 'environments');
  mkdirSync(environments);
  const write = (name: string, text: string) => writeFiles(environments, { [`${name}.env`]: text });
  for (const [name, text] of Object.entries(texts)) write(name, text);
  /** Variables with which a command uses this folder. */
  const env = { SEXTANT_ENVIRONMENTS: environments, SEXTANT_OUTPUT: join(folder, 'output') };
  return { folder, environments, write, env };
}
