import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { contractFiles } from '../../src/environment/contract/contract-of.ts';
import { fileRoles } from '../../src/environment/files/index.ts';
import { ConfigurationError, environmentNames, readVariables } from '../../src/environment/index.ts';
import { projectRoot } from '../../src/environment/project-root.ts';

const folders = ['environments', 'schemas/observed'];

/**
 * Copies the team's own files from the checkout `root` to `to`, without secrets: environments with their facts, observed responses, and the OpenAPI
 * documents that the environments name.
 * @throws ConfigurationError if a document is outside of the checkout, because the image would lack it
 */
export function copyTeamFiles(root: string, to: string): void {
  for (const folder of folders.filter((each) => existsSync(join(root, each))))
    cpSync(join(root, folder), join(to, folder), { recursive: true, filter: (path) => !path.endsWith('.secret.env') });
  for (const path of documentsOf(join(root, 'environments'))) {
    const name = relative(root, path);
    if (name.startsWith('..') || isAbsolute(name))
      throw new ConfigurationError(
        `OPENAPI names ${path}, which is outside of the checkout, so the image would lack it: copy it to a folder of the checkout.`,
      );
    mkdirSync(dirname(join(to, name)), { recursive: true });
    cpSync(path, join(to, name));
  }
  writeFileSync(join(to, 'package.json'), '{ "private": true, "type": "module" }\n');
}

function documentsOf(folder: string): string[] {
  return environmentNames(folder).flatMap((name) => {
    const { OPENAPI: paths } = readVariables(join(folder, `${name}.env`), fileRoles.environment);
    return paths ? contractFiles(paths, folder) : [];
  });
}

if (import.meta.main)
  try {
    copyTeamFiles(projectRoot, process.argv[2] ?? `.${sep}team`);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
