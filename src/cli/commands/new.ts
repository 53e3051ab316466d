import { relative } from 'node:path';
import { Command, Option } from 'commander';
import { isPackage, workFolder } from '../../config/project-root.ts';
import { areaIds, effects, headerSets } from '../../spec/index.ts';
import { assertCheckout, type Skeleton, writeSkeleton } from '../skeletons/insert.ts';
import {
  channelSkeleton,
  type OperationWish,
  operationSkeleton,
  type ScenarioWish,
  scenarioSkeleton,
} from '../skeletons/skeletons.ts';

/** `sextant new`: what CONTRIBUTING.md describes, as a skeleton that compiles and is red until it is filled in. */
export function newThing(): Command {
  const command = new Command('new').exitOverride();
  const area = () => new Option('--area <area>', 'area that it belongs to').choices([...areaIds]).makeOptionMandatory();
  const effect = () => new Option('--effect <effect>', 'what it leaves behind').choices([...effects]).default('read');
  command
    .command('scenario')
    .description('a scenario in tests/scenarios, for both runners')
    .argument('<name>', 'its story, e.g. "love two stories"')
    .addOption(area())
    .addOption(effect())
    .action(async (name: string, options: Omit<ScenarioWish, 'name'>) => {
      // Loaded only here: the others need no scenarios.
      const { allScenarios } = await import('../../runner/index.ts');
      const taken = new Map((await allScenarios()).map(({ title, file }) => [title, relative(workFolder, file)]));
      write(scenarioSkeleton({ ...options, name }, taken), isPackage);
    });
  command
    .command('operation')
    .description('an operation, with its handler in the reference service and its scenario')
    .argument('<name>', 'its method of the client, e.g. pinStory')
    .addOption(area())
    .addOption(new Option('--method <method>', 'HTTP method').choices(['GET', 'POST', 'PUT', 'DELETE']).default('GET'))
    .requiredOption('--path <path>', 'path below the base address, e.g. /v1/stories/{id}')
    .addOption(new Option('--headers <set>', 'its header set').choices(Object.keys(headerSets)).default('user'))
    .addOption(effect())
    .option('--request <record>', 'record of its body, known or new, e.g. storyReference')
    .action((name: string, options: Omit<OperationWish, 'name'>) => write(operationSkeleton({ ...options, name })));
  command
    .command('channel')
    .description('an alert channel of the monitor')
    .argument('<name>', 'its name, e.g. pager')
    .action((name: string) => write(channelSkeleton(name)));
  command
    .command('environment')
    .description('an environment: the same as environments new')
    .argument('[name]', 'name of the environment')
    .action(async (name: string | undefined) => {
      // Loaded only here: the others ask nothing.
      const { newEnvironment } = await import('../connect/guided/new-environment.ts');
      process.exitCode = await newEnvironment(name);
    });
  return command;
}

/** `isBeside`: a file of the team's, beside the package. */
function write({ changes, next }: Skeleton, isBeside = false): void {
  if (!isBeside) assertCheckout();
  writeSkeleton({ changes, next: [...next, ...(isBeside ? [] : ['npm run check'])] });
}
