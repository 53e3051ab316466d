import { Command } from 'commander';
import { append } from '../choosing/selection-options.ts';
import { type AskedMonitor, askMonitor, withMonitor } from '../serving/ask-monitor.ts';

interface Flags extends AskedMonitor {
  readonly env: readonly string[];
  readonly why?: string;
  readonly by?: string;
}

export function maintenance(): Command {
  const command = new Command('maintenance');
  const part = (name: string, description: string) =>
    withMonitor(
      command
        .command(name)
        .description(description)
        .requiredOption('--env <name>', 'environment, or a pattern such as prod-*; repeatable', append)
        .option('--by <name>', 'who does it, for the history (default: the user of this shell)'),
    );
  part('start', 'begin maintenance: runs continue, and notices wait until it ends')
    .argument('[time]', 'how long, 1m to 30d', '1h')
    .option('--why <text>', 'e.g. "release 41": marked on charts, and named in incidents that begin soon after')
    .action((time: string, flags: Flags) => ask('start', { for: time, why: flags.why ?? '' }, flags));
  part('end', 'end maintenance before its time').action((flags: Flags) => ask('end', {}, flags));
  return command;
}

function ask(what: 'start' | 'end', fields: Readonly<Record<string, string>>, flags: Flags): Promise<void> {
  const person = flags.by ?? process.env.USER ?? 'a pipeline';
  return askMonitor(`maintenance/${what}`, Object.entries({ ...fields, person, env: flags.env.join(',') }), flags);
}
