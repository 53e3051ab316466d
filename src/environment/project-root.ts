import { extname, join } from 'node:path';

/** The folder of the program, with its package.json, specs and schemas. */
export const projectRoot = join(import.meta.dirname, '..', '..');

/** True in the npm package, whose modules are compiled to JavaScript, because Node doesn't run TypeScript below `node_modules`. */
export const isPackage = extname(import.meta.filename) === '.js';

/** The folder with a team's environments, specs, surveys, results and state: the checkout, or the folder in which the package was started. */
export const workFolder = isPackage ? process.cwd() : projectRoot;

/** The folders with specs: the program's own specs, and the specs of a team that uses the package. */
export const specFolders = [...new Set([projectRoot, workFolder])].map((folder) => join(folder, 'tests'));

export const specModule = isPackage ? 'sextant' : '../../fixtures/index.ts';

/** The file of a module of the program, which is named by its path from `projectRoot` without an extension. */
export function ownModule(path: string): string {
  return join(projectRoot, `${path}${extname(import.meta.filename)}`);
}
