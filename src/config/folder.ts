import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectRoot } from './project-root.ts';

/** The environment that the embedded reference service is started for. */
export const EMBEDDED = 'local';

/** Where the environments' files are; SEXTANT_ENVIRONMENTS names another folder. */
export function environmentsFolder(): string {
  return process.env.SEXTANT_ENVIRONMENTS ?? join(projectRoot, 'environments');
}

/** The names of all environments, sorted: one `<name>.env` each. */
export function environmentNames(folder = environmentsFolder()): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => /^[a-z0-9][a-z0-9-]*\.env$/i.test(file))
    .map((file) => file.slice(0, -'.env'.length))
    .sort();
}

export function environmentFiles(name: string, folder = environmentsFolder()): { own: string; secret: string } {
  return { own: join(folder, `${name}.env`), secret: join(folder, `${name}.secret.env`) };
}

/** A path as a message shows it. */
export function shown(path: string): string {
  const near = relative(process.cwd(), path);
  return near.startsWith('..') ? path : near;
}
