import { ConfigurationError, environmentNames, loadEnvironment } from '../../config/index.ts';
import { chooseCommand, type OfferedEnvironment } from './menu.ts';
import { Stopped } from './prompts/asker.ts';
import { terminalAsker } from './prompts/terminal-asker.ts';

/** The arguments that a person chooses on the terminal; `undefined` if they stop. The command that does the same is printed. */
export async function startMenu(): Promise<string[] | undefined> {
  const asker = terminalAsker();
  try {
    const args = await chooseCommand(asker, environmentNames().map(listed));
    asker.say(`\nnpx sextant ${args.join(' ')}\n`);
    return args;
  } catch (error) {
    if (error instanceof Stopped) return undefined;
    throw error;
  }
}

function listed(name: string): OfferedEnvironment {
  try {
    loadEnvironment(name);
    return { name, isUsable: true };
  } catch (error) {
    if (error instanceof ConfigurationError) return { name, isUsable: false };
    throw error;
  }
}
