import { join } from 'node:path';
import { ConfigurationError } from './configuration-error.ts';
import { fileRoles, isThere, listFolder } from './files/index.ts';
import { isPackage, projectRoot, workFolder } from './project-root.ts';

export const EMBEDDED = 'local';

/** Valid names of environments. A name becomes part of paths, so it must not lead out of the folder. */
const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/i;

const ownFolder = join(workFolder, 'environments');
/** The package's folder with the environment `local`, for teams that have no own file of this name. */
const shipped = join(projectRoot, 'environments');

export function environmentsFolder(): string {
  return process.env.SEXTANT_ENVIRONMENTS || ownFolder;
}

/** The names of all environments, sorted. Each environment has a file `<name>.env`. */
export function environmentNames(folder = environmentsFolder()): string[] {
  const names = listFolder(folder, fileRoles.environment)
    .filter((file) => file.endsWith('.env'))
    .map((file) => file.slice(0, -'.env'.length))
    .filter((name) => NAME.test(name));
  return [...new Set([...names, ...(isPackage && folder === ownFolder ? [EMBEDDED] : [])])].sort();
}

/** Files that are not used as environments because of their names: `my env.env`, `qa.ENV`, and `qa.env.txt` of an editor on Windows. */
export function misnamedFiles(folder = environmentsFolder()): string[] {
  const files = listFolder(folder, fileRoles.environment).filter((file) => /\.env(\.txt)?$/i.test(file));
  const isRight = (file: string) => NAME.test(file.replace(/(\.secret)?\.env$/, ''));
  return files.filter((file) => !isRight(file)).sort();
}

/** @throws ConfigurationError if no environment can have this name. */
export function assertEnvironmentName(name: string): void {
  if (NAME.test(name)) return;
  throw new ConfigurationError(
    `${JSON.stringify(name.slice(0, 100))} is not a valid environment name: use up to 64 letters, digits and hyphens.`,
  );
}

interface EnvironmentFiles {
  readonly own: string;
  readonly secret: string;
  /** The path of the facts to read. It leads into the package only if the team's folder has neither this environment nor its facts. */
  readonly facts: string;
  /** The path to which a survey writes the facts: always in the team's folder, because an update replaces the package's folder. */
  readonly surveyedFacts: string;
}

/** The paths of an environment's files. @throws ConfigurationError if no environment can have this name. */
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
