import { Command, Option } from 'commander';
import { ConfigurationError, didYouMean } from '../../environment/index.ts';
import { sendTest } from '../../monitor/index.ts';
import { exitCodes } from '../../verdict/exit-codes.ts';
import { SETTINGS_FILE, settingsFrom } from '../serving/settings-file.ts';

export function alerts(): Command {
  const command = new Command('alerts');
  command
    .command('test')
    .description('send a test notice to every configured channel')
    .option('--channel <name>', 'only this channel')
    .addOption(
      new Option(
        '--like <kind>',
        'send what an outage would send: the notice of the outage, then that of its end',
      ).choices(['down']),
    )
    .option('--settings <file>', `settings file (default: ${SETTINGS_FILE})`)
    .action(async ({ channel, like, settings: named }: { channel?: string; like?: 'down'; settings?: string }) => {
      const file = named ?? SETTINGS_FILE;
      const { channels, pageUrl, listen, port } = settingsFrom(named);
      const names = [...channels.keys()];
      if (names.length === 0)
        throw new ConfigurationError(
          `No alert channel is configured in ${file} or as MONITOR_… in the process environment. docs/reference/keys.md lists the keys.`,
        );
      if (channel !== undefined && !names.includes(channel))
        throw new ConfigurationError(
          `Channel "${channel}" is not configured${didYouMean(channel, names)}. Configured: ${names.join(', ')}.`,
        );
      for (const [name, send] of channels) {
        if (channel !== undefined && name !== channel) continue;
        const failure = await sendTest(send, Date.now(), pageUrl ?? `http://${listen}:${port}/`, like);
        process.stdout.write(`${name.padEnd(14)}${failure === undefined ? 'sent' : `FAILED: ${failure}`}\n`);
        if (failure !== undefined) process.exitCode = exitCodes.fellShort;
      }
    });
  return command;
}
