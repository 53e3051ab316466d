import { Command } from 'commander';
import { userAgent } from '../client/index.ts';
import { commandsFor } from './commands/index.ts';
import { printable } from './printable.ts';

/** The program with the command that `name` asks for; with all of them when it names none. */
export async function programFor(name: string | undefined): Promise<Command> {
  const program = new Command('sextant')
    .description('End-to-end API tests and uptime checks for one service of six areas and fourteen operations.')
    .version(userAgent.replace('/', ' '))
    .showHelpAfterError('(sextant --help lists the commands)');
  for (const command of await commandsFor(name)) program.addCommand(command);
  return endsByThrowing(program);
}

/** Commands that were made apart inherit nothing, so each is told. */
function endsByThrowing(command: Command): Command {
  for (const each of command.commands) endsByThrowing(each);
  // What was typed is shown again, and must not be obeyed by a terminal.
  return command.exitOverride().configureOutput({ outputError: (text, write) => write(printable(text)) });
}
