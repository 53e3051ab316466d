import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { environmentNames } from '../config/index.ts';
import { commandList, loadCommand } from './commands/index.ts';

/**
 * Adds `complete`: with a shell's name it prints that shell's script, which then asks `complete -- words…`. Only the command among the
 * words is loaded, because a shell asks at each Tab.
 */
export async function addCompletion(program: Command, args: readonly string[]): Promise<void> {
  const [asked = ''] = args.slice(args.indexOf('--') + 1);
  const loaded = args.includes('--') ? await loadCommand(asked) : undefined;
  for (const light of commandList()) program.addCommand(light.name() === loaded?.name() ? loaded : light);
  const completion = tab(program);
  for (const command of completion.commands.values()) {
    const environment = command.options.get('env');
    if (environment)
      environment.handler = (complete) => {
        for (const name of environmentNames()) complete(name, 'environment');
      };
  }
}
