import { Command, InvalidArgumentError, type Option } from 'commander';
import { userAgent } from '../http/correlation-headers.ts';
import { areaIds } from '../service/areas.ts';
import { operations } from '../service/operations.ts';
import { commandList, examples, loadCommand, withdrawn } from './commands/index.ts';
import { printable } from './output/terminal.ts';

/** The name of the command whose module must be loaded: `check` for `check`, and also for `help check`. */
function askedFor(args: readonly string[]): string {
  const [first = '', second = ''] = args.filter((word) => !word.startsWith('-'));
  return first === 'help' ? second : first;
}

/**
 * The program with the command that the arguments name, or with the list of all commands if they name none.
 * @throws CommanderError if the arguments use something that was removed
 */
export async function programFor(args: readonly string[]): Promise<Command> {
  refuseWithdrawn(args);
  const program = new Command('sextant')
    .description(
      `End-to-end API tests and uptime checks for one service of ${areaIds.length} areas and ${Object.keys(operations).length} operations.`,
    )
    .version(userAgent.replace('/', ' '))
    .showHelpAfterError('(sextant --help lists the commands)')
    .exitOverride();
  const chosen = await loadCommand(askedFor(args));
  for (const command of chosen ? [chosen] : commandList()) program.addCommand(command);
  // If a command and its sub-command have an option of the same name, an option after the sub-command belongs to the sub-command.
  for (const each of chosen?.commands.length ? [program, chosen] : []) each.enablePositionalOptions();
  finish(program, '');
  return program;
}

/** Refuses removed commands and options. Arguments after `--` belong to Playwright, so they are not checked. */
function refuseWithdrawn(args: readonly string[]): void {
  const end = args.indexOf('--');
  const own = args.slice(0, end < 0 ? args.length : end).flatMap((word) => word.split('='));
  for (const [words, sentence] of Object.entries(withdrawn)) {
    const [command, ...rest] = words.split(' ');
    if (command === askedFor(own) && ` ${own.join(' ')} `.includes(` ${rest.join(' ')}`))
      new Command().exitOverride().error(sentence);
  }
}

/**
 * Configures a command and its sub-commands one by one, because separately created commands inherit nothing. `path` is the command as a
 * user types it after `sextant`.
 */
function finish(command: Command, path: string): void {
  for (const each of command.commands) finish(each, `${path} ${each.name()}`.trim());
  for (const option of command.options) refuseEmpty(option);
  const shown = examples[path] ?? command.commands.flatMap((each) => examples[`${path} ${each.name()}`]?.[0] ?? []);
  if (shown.length > 0) command.addHelpText('after', `\nExamples:\n${shown.map((line) => `  ${line}`).join('\n')}`);
  if (path) command.showHelpAfterError(`(sextant ${path} --help lists its options)`);
  // Errors repeat the user's input, which a terminal must not interpret.
  command.exitOverride().configureOutput({ outputError: (text, write) => write(printable(text)) });
}

/** Refuses an empty value, because it is usually a shell variable that isn't set: `--env "$NAME"`. */
function refuseEmpty(option: Option): void {
  const { parseArg, variadic } = option;
  if (!option.required) return;
  option.argParser((value: string, earlier: unknown) => {
    if (value.trim() === '') throw new InvalidArgumentError('It must not be empty.');
    if (parseArg) return parseArg(value, earlier);
    return variadic ? [...(Array.isArray(earlier) ? earlier : []), value] : value;
  });
}
