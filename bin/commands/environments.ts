import { Command } from 'commander';
import { environmentNames, loadEnvironment } from '../../environments/index.ts';

/** `sextant environments`: what there is, and whether it can be used. */
export function environments(): Command {
  const command = new Command('environments').description('list the environments');
  command
    .command('list')
    .description('each environment with what it allows, or why it can not be used')
    .action(() => {
      for (const name of environmentNames()) process.stdout.write(`${name.padEnd(14)}${summary(name)}\n`);
    });
  return command;
}

function summary(name: string): string {
  try {
    const { allowedEffects, addresses } = loadEnvironment(name);
    return `${[...allowedEffects].join(',')}  ${addresses.friends.origin} …`;
  } catch (error) {
    return (error as Error).message.split('\n')[0] ?? '';
  }
}
