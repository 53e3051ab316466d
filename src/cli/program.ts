import { Command } from 'commander';
import { userAgent } from '../client/http/correlation-headers.ts';
import { commandList, loadCommand } from './commands/index.ts';
import { printable } from './printable.ts';

/** The name of the command that the arguments ask for; `help check` asks for the help of `check`. */
export function askedFor(args: readonly string[]): string {
  const [first = '', second = ''] = args.filter((word) => !word.startsWith('-'));
  return first === 'help' ? second : first;
}

/** The program with the command that the arguments ask for; with a list of all when they name none. */
export async function programFor(args: readonly string[]): Promise<Command> {
  const program = new Command('sextant')
    .description('End-to-end API tests and uptime checks for one service of six areas and fourteen operations.')
    .version(userAgent.replace('/', ' '))
    .showHelpAfterError('(sextant --help lists the commands)');
  const chosen = await loadCommand(askedFor(args));
  for (const command of chosen ? [chosen] : commandList()) program.addCommand(command);
  return endsByThrowing(program);
}

/** Separately created commands inherit nothing, so each is configured. */
function endsByThrowing(command: Command): Command {
  for (const each of command.commands) endsByThrowing(each);
  // User input is printed, so a terminal must not interpret it.
  return command.exitOverride().configureOutput({ outputError: (text, write) => write(printable(text)) });
}
