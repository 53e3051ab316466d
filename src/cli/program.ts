import { Command } from 'commander';
import { userAgent } from '../client/index.ts';
import { commandsFor } from './commands/index.ts';

/** The program with the command that `name` asks for; with all of them when it names none. */
export async function programFor(name: string | undefined): Promise<Command> {
  const program = new Command('sextant')
    .description('End-to-end API tests and uptime checks for one service of six areas and fourteen operations.')
    .version(userAgent.replace('/', ' '))
    .showHelpAfterError('(sextant --help lists the commands)')
    .exitOverride();
  for (const command of await commandsFor(name)) program.addCommand(command.exitOverride());
  return program;
}
