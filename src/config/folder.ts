import { join } from 'node:path';
import { ConfigurationError } from './configuration-error.ts';
import { fileRoles, listFolder } from './files/index.ts';
import { projectRoot } from './project-root.ts';

/** The environment that the embedded reference service is started for. */
export const EMBEDDED = 'local';

/** A name is part of paths, so it can't lead out of a folder. */
const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/i;

/** Where the environments' files are; SEXTANT_ENVIRONMENTS names another folder. */
export function environmentsFolder(): string {
  return process.env.SEXTANT_ENVIRONMENTS ?? join(projectRoot, 'environments');
}

/** The names of all environments, sorted: one `<name>.env` each. */
export function environmentNames(folder = environmentsFolder()): string[] {
  return listFolder(folder, fileRoles.environments)
    .filter((file) => file.endsWith('.env'))
    .map((file) => file.slice(0, -'.env'.length))
    .filter((name) => NAME.test(name))
    .sort();
}

/** @throws ConfigurationError when no environment can have this name. */
export function assertEnvironmentName(name: string): void {
  if (NAME.test(name)) return;
  throw new ConfigurationError(
    `${JSON.stringify(name.slice(0, 100))} is not a valid environment name: use up to 64 letters, digits and hyphens.`,
  );
}

/** @throws ConfigurationError when no environment can have this name. */
export function environmentFiles(name: string, folder = environmentsFolder()): { own: string; secret: string } {
  assertEnvironmentName(name);
  return { own: join(folder, `${name}.env`), secret: join(folder, `${name}.secret.env`) };
}
