import { Command, InvalidArgumentError, type Option } from 'commander';
import { userAgent } from '../client/http/correlation-headers.ts';
import { areaIds } from '../spec/areas.ts';
import { operations } from '../spec/operations.ts';
import { commandList, examples, loadCommand } from './commands/index.ts';
import { printable } from './output/terminal.ts';

/** The name of the command that the arguments ask for; `help check` asks for the help of `check`. */
export function askedFor(args: readonly string[]): string {
  const [first = '', second = ''] = args.filter((word) => !word.startsWith('-'));
  return first === 'help' ? second : first;
}

/** The program with the command that the arguments ask for; with a list of all when they name none. */
export async function programFor(args: readonly string[]): Promise<Command> {
  const program = new Command('sextant')
    .description(
      `End-to-end API tests and uptime checks for one service of ${areaIds.length} areas and ${Object.keys(operations).length} operations.`,
    )
    .version(userAgent.replace('/', ' '))
    .showHelpAfterError('(sextant --help lists the commands)')
    // What completion adds has it from here.
    .exitOverride();
  if (args[0] === 'complete') {
    await addCompletion(program, args);
    return program;
  }
  const chosen = await loadCommand(askedFor(args));
  for (const command of chosen ? [chosen] : commandList()) program.addCommand(command);
  program.addHelpText('after', '\nCompletion of commands and options: npx sextant complete --help');
  finish(program, '');
  return program;
}

/**
 * Adds `complete`: with a shell's name it prints that shell's script, which then asks `complete -- words…`. Only the command among the
 * words is loaded, because a shell asks at each Tab.
 */
async function addCompletion(program: Command, args: readonly string[]): Promise<void> {
  // Loaded only here: no other command needs them.
  const [{ default: tab }, { environmentNames }] = await Promise.all([
    import('@bomb.sh/tab/commander'),
    import('../config/index.ts'),
  ]);
  const [asked = ''] = args.slice(args.indexOf('--') + 1);
  const loaded = args.includes('--') ? await loadCommand(asked) : undefined;
  for (const light of commandList()) program.addCommand(light.name() === loaded?.name() ? loaded : light);
  for (const command of tab(program).commands.values()) {
    const environment = command.options.get('env');
    if (environment)
      environment.handler = (complete) => {
        for (const name of environmentNames()) complete(name, 'environment');
      };
  }
}

/** Separately created commands inherit nothing, so each is configured. `path` is what is typed after `sextant`. */
function finish(command: Command, path: string): void {
  for (const each of command.commands) finish(each, `${path} ${each.name()}`.trim());
  for (const option of command.options) refuseEmpty(option);
  const shown = examples[path];
  if (shown) command.addHelpText('after', `\nExamples:\n${shown.map((line) => `  ${line}`).join('\n')}`);
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
