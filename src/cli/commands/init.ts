import { resolve } from 'node:path';
import { Command } from 'commander';
import { assertEnvironmentName, ConfigurationError, secretVariable } from '../../config/index.ts';
import { isPackage, projectRoot } from '../../config/project-root.ts';
import { writeSkeleton } from '../skeletons/insert.ts';
import { projectFiles } from '../skeletons/project.ts';

/** `sextant init`: a project of a team that uses the package, and has no checkout. */
export function init(): Command {
  return new Command('init')
    .argument('[folder]', 'where to', '.')
    .option('--env <name>', 'name of its environment', 'staging')
    .action((folder: string, { env }: { readonly env: string }) => {
      assertEnvironmentName(env);
      const root = resolve(folder);
      if (!isPackage && root === projectRoot)
        throw new ConfigurationError(
          'This is a checkout of Sextant, which has all of it. Name another folder: sextant init FOLDER.',
        );
      writeSkeleton({ changes: projectFiles(env), next: next(env) }, root);
    });
}

const next = (environment: string) => [
  'npm install',
  'npx sextant test                # on the embedded service, so that you see what it does',
  `fill in environments/${environment}.env, and set ${secretVariable(environment, 'ACCESS_TOKEN')} and ${secretVariable(environment, 'API_KEY')}`,
  `npx sextant doctor --env ${environment}`,
  'npx sextant new scenario "love, then unlove" --area stories --effect reversible',
];
