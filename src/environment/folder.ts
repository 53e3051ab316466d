import { join } from 'node:path';
import { ConfigurationError } from './configuration-error.ts';
import { fileRoles, isThere, listFolder } from './files/index.ts';
import { isPackage, projectRoot, workFolder } from './project-root.ts';

export const EMBEDDED = 'local';

/** A name is part of paths, so it can't lead out of a folder. */
const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/i;

const ownFolder = join(workFolder, 'environments');
/** The package brings the file of the embedded service, for folders that have none. */
const shipped = join(projectRoot, 'environments');

export function environmentsFolder(): string {
  return process.env.SEXTANT_ENVIRONMENTS || ownFolder;
}

/** The names of all environments, sorted: one `<name>.env` each. */
export function environmentNames(folder = environmentsFolder()): string[] {
  const names = listFolder(folder, fileRoles.environment)
    .filter((file) => file.endsWith('.env'))
    .map((file) => file.slice(0, -'.env'.length))
    .filter((name) => NAME.test(name));
  return [...new Set([...names, ...(isPackage && folder === ownFolder ? [EMBEDDED] : [])])].sort();
}

/** Files that were meant as environments and are none, for their names: `my env.env`, `qa.ENV`, and `qa.env.txt` of an editor on Windows. */
export function misnamedFiles(folder = environmentsFolder()): string[] {
  const files = listFolder(folder, fileRoles.environment).filter((file) => /\.env(\.txt)?$/i.test(file));
  const isRight = (file: string) => NAME.test(file.replace(/(\.secret)?\.env$/, ''));
  return files.filter((file) => !isRight(file)).sort();
}

/** @throws ConfigurationError when no environment can have this name. */
export function assertEnvironmentName(name: string): void {
  if (NAME.test(name)) return;
  throw new ConfigurationError(
    `${JSON.stringify(name.slice(0, 100))} is not a valid environment name: use up to 64 letters, digits and hyphens.`,
  );
}

interface EnvironmentFiles {
  readonly own: string;
  readonly secret: string;
  /** Next to its own file, and nowhere else. */
  readonly facts: string;
  /** Where a survey writes them: in the team's folder, for the package's isn't theirs. */
  readonly surveyedFacts: string;
}

/** @throws ConfigurationError when no environment can have this name. */
export function environmentFiles(name: string, folder = environmentsFolder()): EnvironmentFiles {
  assertEnvironmentName(name);
  const own = join(folder, `${name}.env`);
  const isShipped = isPackage && folder === ownFolder && name === EMBEDDED && !isThere(own, fileRoles.environment);
  const surveyedFacts = join(folder, `${name}.facts.json`);
  const areShipped = isShipped && !isThere(surveyedFacts, fileRoles.facts);
  return {
    own: isShipped ? join(shipped, `${name}.env`) : own,
    secret: join(folder, `${name}.secret.env`),
    facts: areShipped ? join(shipped, `${name}.facts.json`) : surveyedFacts,
    surveyedFacts,
  };
}
