import { Command, InvalidArgumentError, type Option } from 'commander';
import { userAgent } from '../http/correlation-headers.ts';
import { areaIds } from '../service/areas.ts';
import { operations } from '../service/operations.ts';
import { commandList, examples, loadCommand, withdrawn } from './commands/index.ts';
import { printable } from './output/terminal.ts';

/** The name of the command that the arguments ask for; `help check` asks for the help of `check`. */
function askedFor(args: readonly string[]): string {
  const [first = '', second = ''] = args.filter((word) => !word.startsWith('-'));
  return first === 'help' ? second : first;
}

/**
 * The program with the command that the arguments ask for; with a list of all when they name none.
 * @throws CommanderError for what was removed
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
  // An option behind a sub-command is that one's, even if the command above it has an option of the same name.
  for (const each of chosen?.commands.length ? [program, chosen] : []) each.enablePositionalOptions();
  finish(program, '');
  return program;
}

/** Arguments after `--` are Playwright's. */
function refuseWithdrawn(args: readonly string[]): void {
  const end = args.indexOf('--');
  const own = args.slice(0, end < 0 ? args.length : end).flatMap((word) => word.split('='));
  for (const [words, sentence] of Object.entries(withdrawn)) {
    const [command, ...rest] = words.split(' ');
    if (command === askedFor(own) && ` ${own.join(' ')} `.includes(` ${rest.join(' ')}`))
      new Command().exitOverride().error(sentence);
  }
}

/** Separately created commands inherit nothing, so each is configured. `path` is what is typed after `sextant`. */
function finish(command: Command, path: string): void {
  for (const each of command.commands) finish(each, `${path} ${each.name()}`.trim());
  for (const option of command.options) refuseEmpty(option);
  const shown = examples[path] ?? command.commands.flatMap((each) => examples[`${path} ${each.name()}`]?.[0] ?? []);
  if (shown.length > 0) command.addHelpText('after', `\nExamples:\n${shown.map((line) => `  ${line}`).join('\n')}`);
  if (path) command.showHelpAfterError(`(sextant ${path} --help lists its options)`);
  // User input is printed, so a terminal must not interpret it.
  command.exitOverride().configureOutput({ outputError: (text, write) => write(printable(text)) });
}

/** An empty value is a variable that a shell didn't have: `--env "$NAME"`. */
function refuseEmpty(option: Option): void {
  const { parseArg, variadic } = option;
  if (!option.required) return;
  option.argParser((value: string, earlier: unknown) => {
    if (value.trim() === '') throw new InvalidArgumentError('It must not be empty.');
    if (parseArg) return parseArg(value, earlier);
    return variadic ? [...(Array.isArray(earlier) ? earlier : []), value] : value;
  });
}
